/** How long a statement waits for a file that another connection writes. */
export const BUSY_TIMEOUT_MS = 5000

/**
 * Size of the write-ahead log, 16 MB, at which SQLite checkpoints a busy file. Writers wait meanwhile, so checkpoints are
 * rare, and a page that was written often is copied once.
 */
export const CHECKPOINT_PAGES = 4_000
