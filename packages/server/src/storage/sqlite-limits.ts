/** How long a statement waits for a file that another connection writes. */
export const BUSY_TIMEOUT_MS = 5000

/**
 * Size of the write-ahead log, 16 MB, at which SQLite checkpoints a busy file. Writers wait meanwhile, so checkpoints are
 * rare, and a page that was written often is copied once.
 */
export const CHECKPOINT_PAGES = 4_000

/**
 * The same for a file of checkpoints.ts. The writer checkpoints it by itself only when that thread is missing or cannot
 * finish, because writing never pauses; then little is left to copy.
 */
export const WRITER_CHECKPOINT_PAGES = 1.5 * CHECKPOINT_PAGES
