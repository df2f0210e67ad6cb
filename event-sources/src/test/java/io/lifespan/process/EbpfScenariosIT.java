package io.lifespan.process;

/** Odd lives as they are captured in the kernel. */
class EbpfScenariosIT extends ScenariosOfASource {

  @Override
  LiveTable liveTable() throws Exception {
    return LiveTable.captured();
  }
}
