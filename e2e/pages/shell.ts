import type { Locator, Page } from '@playwright/test'
import { Toasts } from './toasts.ts'

/** The frame around the screens: header, navigation, palette, toasts. */
export class Shell {
  readonly toasts: Toasts
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
    this.toasts = new Toasts(page)
  }

  get header(): Locator {
    return this.#page.getByRole('banner')
  }

  get connection(): Locator {
    return this.header.getByRole('status', { name: 'Connection' })
  }

  get themeToggle(): Locator {
    return this.header.getByRole('button', { name: /theme/i })
  }

  /** The side rail of a desk-wide screen. */
  get rail(): Locator {
    return this.#page.getByRole('navigation', { name: 'Screens', exact: true })
  }

  /** The bottom bar of a phone. */
  get thumbBar(): Locator {
    return this.#page.getByRole('navigation', { name: 'Main screens' })
  }

  /** The sheet that More opens on a phone. */
  get allScreens(): Locator {
    return this.#page.getByRole('complementary', { name: 'All screens' })
  }

  /** The list of all screens, opened by Ctrl-K, Cmd-K or the header's 'Go to…'. */
  get palette(): Locator {
    return this.#page.getByRole('dialog', { name: 'Go to' })
  }

  get paletteButton(): Locator {
    return this.header.getByRole('button', { name: /^Go to/ })
  }

  get shortcuts(): Locator {
    return this.#page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  }

  destination(screen: string): Locator {
    return this.palette.getByRole('option', { name: screen })
  }

  async goTo(screen: string): Promise<void> {
    await this.rail.getByRole('link', { name: screen, exact: true }).click()
  }
}
