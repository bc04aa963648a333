import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Source } from '@binnacle/stores'
import { COMPILED } from '#testkit/compiled.ts'

const SCRIPT = join(import.meta.dirname, 'bank-transfers.script.ts')

/** Number of accounts and their initial balance. */
export const ACCOUNTS = 50
export const BALANCE = 1000

export interface Bank {
  /** Ends the transfers and returns their number. */
  close(): Promise<number>
}

/** A process that transfers money continuously; the sum of all balances never changes. */
export async function openBank(source: Source): Promise<Bank> {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(source)], {
    env: COMPILED,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  await once(child.stdout, 'data')
  return {
    async close() {
      const ended = once(child, 'close')
      child.stdin.end()
      await ended
      return Number(output.trim().split('\n').at(-1))
    },
  }
}
