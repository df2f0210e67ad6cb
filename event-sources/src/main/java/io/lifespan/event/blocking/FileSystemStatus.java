package io.lifespan.event.blocking;

/**
 * What statfs tells of a file system.
 *
 * @param type its magic number, see statfs(2)
 * @param blockSize in bytes, the unit of the counts of blocks
 * @param blocks in all
 * @param free blocks free
 * @param available blocks free for who is not root
 * @param files inodes in all; 0 if it has no fixed number
 * @param freeFiles inodes free
 */
public record FileSystemStatus(
    long type,
    long blockSize,
    long blocks,
    long free,
    long available,
    long files,
    long freeFiles) {}
