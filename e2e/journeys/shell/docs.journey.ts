import { expect, test } from '#fixtures.ts'
import { DocsPage } from '#pages/docs.ts'
import { EDGE } from '#tier.ts'

test(
  '[DOCS-1] [DOCS-2] [DOCS-5] [DOCS-6] [DOCS-7] [DOCS-8] [DOCS-9] five tabs with their content, and links back',
  EDGE,
  async ({ page, backend }) => {
    const docs = new DocsPage(page)
    await docs.open()
    await test.step('the first tab is shown by default', async () => {
      await expect(docs.tabs).toHaveText([
        'Getting Started',
        'API Reference',
        'User Guide',
        'Architecture',
        'Deployment',
      ])
      await expect(docs.tabs.first()).toHaveAttribute('aria-selected', 'true')
      for (const text of [
        '8000',
        '8001',
        'VITE_TRADING_API_URL',
        'VITE_ADMIN_API_URL',
        'npm start',
        'npm test',
      ]) {
        await expect(docs.panel).toContainText(text)
      }
    })
    await test.step('every other tab has its content and makes no call', async () => {
      backend.clearCalls()
      await docs.choose('API Reference')
      await expect(docs.panel).toContainText('/api/nautilus/database/backup-postgresql')
      await expect(docs.panel).toContainText('/api/admin/audit-logs')
      await docs.choose('User Guide')
      await expect(docs.panel).toContainText('Adapters')
      for (const tab of ['Architecture', 'Deployment'] as const) {
        await docs.choose(tab)
        await expect(docs.panel).toContainText(/\w{3,}/)
      }
      expect(backend.calls().filter(({ path }) => path !== '/health')).toEqual([])
    })
    for (const target of ['/', '/admin']) {
      await docs.main.locator(`a[href="${target}"]`).first().click()
      await expect(page).toHaveURL(target)
      await page.goBack()
      await docs.heading.waitFor()
    }
  },
)
