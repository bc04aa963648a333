/**
 * How long the write-ahead log of a busy file grows, 32 MB, before its writer moves what the log mover has left of it:
 * who writes waits meanwhile, so it is done seldom, and a page that was written many times is moved once.
 */
export const CHECKPOINT_PAGES = 8_000
