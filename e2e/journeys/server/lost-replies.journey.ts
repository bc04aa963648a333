import type { Page } from '@playwright/test'
import { ADMIN_COMMANDS } from '#lost-replies/admin-commands.ts'
import { Api } from '#lost-replies/api.ts'
import { isCallOf, type LostCommand } from '#lost-replies/command.ts'
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
  { command: 'Create Order', fault: 'cut before it arrives' },
  { command: 'Close of a position', fault: 'cut after it arrived' },
  { command: 'Halt Trading', fault: '500 with text' },
  { command: 'Save of a setting', fault: '502 with HTML after it arrived' },
  { command: 'Create Backup', fault: 'no answer in time after it arrived' },
].map(caseOf)

for (const { command, fault } of isFullTier() ? ALL : SAMPLE) {
  test(`[CLIENT-15] [CLIENT-17] [CLIENT-20] ${command.name}, ${fault.name}: says what may have happened, and pressing again does it once`, async ({
    page,
    server,
    request,
    watch,
  }) => {
    watch.allowErrors(/Failed to (fetch|load resource)|API Error: 50[02]|No answer within \d+ s/)
    const api = new Api(request, server.origin)
    const subject = (await command.prepare?.(api)) ?? ''
    await command.open(page, subject)
    // After the screen is open: a dialog takes its first focus by timers, which a replaced clock delays.
    if (fault.wait !== undefined) await page.clock.install()
    const { promise: isDisturbed, resolve } = Promise.withResolvers<void>()
    let wasDisturbed = false
    await page.route('**/api/**', async (route) => {
      if (wasDisturbed || !isCallOf(command, route.request())) return route.fallback()
      wasDisturbed = true
      await fault.disturb(route)
      resolve()
    })
    await command.press(page, subject)
    await isDisturbed
    await fault.wait?.(page, command.timeoutMs ?? 30_000)
    await expect(page.getByText(command.says).first()).toBeVisible()
    if (command.count) {
      const isPressedAgain = !(fault.arrives && command.removesButton)
      if (isPressedAgain) await pressAgain(page, command, subject)
      await expect.poll(() => command.count?.(api, subject), 'times it was carried out').toBe(1)
    }
    await command.cleanUp?.(api)
  })
}

async function pressAgain(page: Page, command: LostCommand, subject: string): Promise<void> {
  const answered = page.waitForResponse((response) => isCallOf(command, response.request()))
  await command.press(page, subject)
  const reply = await answered
  expect(reply.status(), `status of the repeat: ${await reply.text()}`).toBeLessThan(500)
}

function caseOf(named: { command: string; fault: string }): Case {
  const command = COMMANDS.find(({ name }) => name === named.command)
  const fault = FAULTS.find(({ name }) => name === named.fault)
  if (!command || !fault) throw new Error(`There is no command ${named.command}, or no fault ${named.fault}.`)
  return { command, fault }
}
