import { ADMIN_COMMANDS } from '#lost-replies/admin-commands.ts'
import { Api } from '#lost-replies/api.ts'
import type { LostCommand } from '#lost-replies/command.ts'
import { DATABASE_COMMANDS } from '#lost-replies/database-commands.ts'
import { FAULTS, type Fault } from '#lost-replies/faults.ts'
import { TRADER_COMMANDS } from '#lost-replies/trader-commands.ts'
import { expect, test } from '#server-fixtures.ts'
import { isFullTier } from '#tier.ts'

const COMMANDS = [...TRADER_COMMANDS, ...ADMIN_COMMANDS, ...DATABASE_COMMANDS]

interface Case {
  command: LostCommand
  fault: Fault
}

const ALL = COMMANDS.flatMap((command) => FAULTS.map((fault) => ({ command, fault })))

/** Each fault once, on commands of every area. */
const SAMPLE = [
  'Create Order',
  'Close of a position',
  'Halt Trading',
  'Save of a setting',
  'Create Backup',
].map((name, index): Case => caseOf(name, index))

for (const { command, fault } of isFullTier() ? ALL : SAMPLE) {
  test(`[CLIENT-15] [CLIENT-17] [CLIENT-20] ${command.name}, ${fault.name}: says what may have happened, and pressing again does it once`, async ({
    page,
    server,
    request,
    watch,
  }) => {
    watch.allowErrors(/Failed to (fetch|load resource)|API Error: 50[02]|No answer within 30 s/)
    const api = new Api(request, server.origin)
    const subject = (await command.prepare?.(api)) ?? ''
    await page.clock.install()
    await command.open(page, subject)
    const [method, path] = command.call
    const isCall = (url: URL) => path.test(url.pathname)
    const { promise: isDisturbed, resolve } = Promise.withResolvers<void>()
    let wasDisturbed = false
    await page.route(isCall, async (route) => {
      if (wasDisturbed || route.request().method() !== method) return route.fallback()
      wasDisturbed = true
      await fault.disturb(route)
      resolve()
    })
    await command.press(page, subject)
    await isDisturbed
    await fault.wait?.(page)
    await expect(page.getByText(command.says).first()).toBeVisible()
    if (!command.count) return
    const { count } = command
    if (fault.arrives && command.removesButton) {
      await expect.poll(() => count(api, subject), 'times it was carried out').toBe(1)
      return
    }
    const reply = page.waitForResponse(
      (response) => isCall(new URL(response.url())) && response.request().method() === method,
      { timeout: 60_000 },
    )
    await command.press(page, subject)
    expect((await reply).status(), 'status of the repeat').toBeLessThan(500)
    expect(await count(api, subject), 'times it was carried out').toBe(1)
  })
}

function caseOf(name: string, index: number): Case {
  const command = COMMANDS.find((known) => known.name === name)
  const fault = FAULTS[index]
  if (!command || !fault) throw new Error(`There is no command ${name}, or no fault ${index}.`)
  return { command, fault }
}
