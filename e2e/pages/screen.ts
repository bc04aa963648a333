import type { Locator, Page } from '@playwright/test'
import { control } from './control.ts'
import { Shell } from './shell.ts'

/** What every screen has: a path, a title and a way back. The models below add their own words. */
export abstract class Screen {
  abstract readonly path: string
  abstract readonly title: string
  readonly page: Page
  readonly shell: Shell

  constructor(page: Page) {
    this.page = page
    this.shell = new Shell(page)
  }

  get main(): Locator {
    return this.page.getByRole('main')
  }

  get heading(): Locator {
    return this.page.getByRole('heading', { level: 1, name: this.title, exact: true })
  }

  get toasts() {
    return this.shell.toasts
  }

  /** Opens the address itself, as a bookmark does, and waits for the title. */
  async open(): Promise<void> {
    await this.page.goto(this.path)
    await this.heading.waitFor()
  }

  /** A button, or a link that looks like one, of this screen. */
  control(name: string | RegExp): Locator {
    return control(this.main, name)
  }

  card(name: string | RegExp): Locator {
    return this.main.getByRole('region', { name, exact: true })
  }
}
