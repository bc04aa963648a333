import { expect, type Locator } from '@playwright/test'
import { Screen } from '#pages/screen.ts'

/** The first run starts a thread and reads its bars; a busy machine takes long for that. */
export const WORK = { timeout: 300_000 }

export class BacktestingPage extends Screen {
  readonly path = '/trader/backtesting'
  readonly title = 'Backtesting'

  get form(): Locator {
    return this.page.getByRole('form', { name: 'New run' })
  }

  get queue(): Locator {
    return this.main.getByRole('region', { name: /^Queue/ })
  }

  get runs(): Locator {
    return this.main.getByRole('list', { name: 'Runs' }).getByRole('listitem')
  }

  /** The head of the chosen run. */
  get result(): Locator {
    return this.main.getByRole('region', { name: /^BT-\d+ / })
  }

  get compared(): Locator {
    return this.main.getByRole('table', { name: 'Compare' }).getByRole('row')
  }

  get promotion(): Locator {
    return this.page.getByRole('dialog', { name: /^Promote BT-/ })
  }

  /** Unfolds the fields of a sweep. */
  async openSweep(): Promise<void> {
    await this.form.getByText('Sweep', { exact: true }).click()
  }

  async openRun(id: string): Promise<void> {
    await this.page.goto(`${this.path}?run=${id}`)
    await this.result.waitFor()
  }

  /** Waits until another run than before is shown and done, and returns its id. */
  async nextResult(before: string): Promise<string> {
    const shown = () => new URL(this.page.url()).searchParams.get('run') ?? before
    await expect.poll(shown).not.toBe(before)
    await expect(this.result).toContainText(`BT-${shown()} `)
    await expect(this.result).toContainText('done in', WORK)
    return shown()
  }

  /** A run over all that is recorded, with the parameters of the form. */
  async run(): Promise<void> {
    await this.form.getByRole('button', { name: 'All recorded' }).click()
    await this.form.getByRole('button', { name: 'Run', exact: true }).click()
  }
}
