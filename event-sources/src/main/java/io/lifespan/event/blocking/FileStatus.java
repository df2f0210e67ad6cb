package io.lifespan.event.blocking;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What stat tells of a file.
 *
 * @param mode type and permissions, as in st_mode
 * @param inode its number
 * @param device of the file system, major number in the upper 32 bits, minor in the lower
 * @param links hard links
 * @param userId owner, unsigned 32 bits
 * @param groupId group, unsigned 32 bits
 * @param size in bytes
 * @param blocks of 512 bytes allocated
 * @param accessed time of last access
 * @param modified time of last change of the content
 * @param changed time of last change of the status
 * @param born time of birth; null if the file system does not tell, or was not asked
 * @param mountId of the mount it was found on, as in mountinfo; null before Linux 5.8
 */
public record FileStatus(
    int mode,
    long inode,
    long device,
    long links,
    long userId,
    long groupId,
    long size,
    long blocks,
    Instant accessed,
    Instant modified,
    Instant changed,
    @Nullable Instant born,
    @Nullable Long mountId)
    implements BasicFileAttributes {

  private static final int TYPE_MASK = 0xf000;
  private static final int DIRECTORY = 0x4000;
  private static final int REGULAR = 0x8000;
  private static final int SYMBOLIC_LINK = 0xa000;

  /** Permissions with set-user-id, set-group-id and sticky bit: the lower twelve bits. */
  public int permissions() {
    return mode & 0xfff;
  }

  @Override
  public boolean isRegularFile() {
    return (mode & TYPE_MASK) == REGULAR;
  }

  @Override
  public boolean isDirectory() {
    return (mode & TYPE_MASK) == DIRECTORY;
  }

  @Override
  public boolean isSymbolicLink() {
    return (mode & TYPE_MASK) == SYMBOLIC_LINK;
  }

  @Override
  public boolean isOther() {
    return !isRegularFile() && !isDirectory() && !isSymbolicLink();
  }

  @Override
  public FileTime lastModifiedTime() {
    return FileTime.from(modified);
  }

  @Override
  public FileTime lastAccessTime() {
    return FileTime.from(accessed);
  }

  /** The time of birth, or the last change of the content where that is unknown. */
  @Override
  public FileTime creationTime() {
    return FileTime.from(born == null ? modified : born);
  }

  @Override
  public Object fileKey() {
    return device + ":" + inode;
  }
}
