import type { Locator } from '@playwright/test'
import { Screen } from '#pages/screen.ts'

export class MarketDataPage extends Screen {
  readonly path = '/trader/market-data'
  readonly title = 'Market Data'

  get watched(): Locator {
    return this.main.getByRole('list', { name: 'Watchlist' }).getByRole('listitem')
  }

  /** The figures of the bar under the pointer, else of the last one. */
  get legend(): Locator {
    return this.main.getByText(/^O [\d,.]+/)
  }

  /** Waits until what was done is painted. */
  async painted(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    )
  }

  /** The buttons that move and zoom the chart. */
  tool(name: string): Locator {
    return this.main.getByRole('button', { name, exact: true })
  }

  interval(name: string): Locator {
    return this.main.getByRole('radio', { name, exact: true })
  }

  get ticket(): Locator {
    return this.page.getByRole('form', { name: 'Create New Order' })
  }

  get ladderPrice(): Locator {
    return this.main.getByRole('button', { name: /^Use .* in the order$/ })
  }

  /** Clicks the chart at a price below all bars in sight; there is room below them for the volume. */
  async clickBelowCandles(): Promise<void> {
    await this.legend.waitFor()
    const box = await this.main.getByRole('region', { name: /^Candles of/ }).boundingBox()
    if (box === null) throw new Error('the chart is not shown')
    await this.page.mouse.click(box.x + 120, box.y + box.height - 50)
  }

  get orders(): Locator {
    return this.main.getByRole('table', { name: 'Working orders' }).getByRole('row')
  }

  /** The label of an order on the chart, by which it is dragged. */
  line(text: string): Locator {
    return this.main.locator('[data-price]').filter({ hasText: text })
  }

  get modifyForm(): Locator {
    return this.page.getByRole('dialog', { name: 'Modify Order' })
  }
}
