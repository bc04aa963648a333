import type { FailurePolicy } from './failure.ts'

/** What the screen that loads decides. */
export interface LoadOptions {
  onFailure: FailurePolicy
  /** Called each time the load has been answered. */
  onLoaded?: (() => void) | undefined
}
