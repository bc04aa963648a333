import type { Locator, Page } from '@playwright/test'

/** A question the console asks before it acts: the first button means yes, the second no. */
export class Confirmation {
  readonly dialog: Locator
  readonly #page: Page

  constructor(page: Page, sentence: string) {
    this.#page = page
    this.dialog = page.getByRole('dialog').filter({ hasText: sentence })
  }

  async yes(): Promise<void> {
    await this.#answers.first().click()
  }

  async no(): Promise<void> {
    await this.#answers.last().click()
  }

  async escape(): Promise<void> {
    await this.#page.keyboard.press('Escape')
  }

  /** The dialog's own corner button is no answer. */
  get #answers(): Locator {
    return this.dialog.getByRole('button').filter({ hasText: /\S/ })
  }
}
