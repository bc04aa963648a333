import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Source } from '#backups/source.ts'
import { COMPILED } from '#testkit/compiled.ts'

const SCRIPT = join(import.meta.dirname, 'bank-transfers.script.ts')

/** How many accounts there are, and what is in each at first. */
export const ACCOUNTS = 50
export const BALANCE = 1000

export interface Bank {
  /** Ends the transfers and tells how many were made. */
  close(): Promise<number>
}

/** A process that moves money between accounts without pause; the sum of all balances never changes. */
export async function openBank(source: Source): Promise<Bank> {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(source)], {
    env: COMPILED,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let told = ''
  child.stdout.on('data', (chunk) => (told += chunk))
  await once(child.stdout, 'data')
  return {
    async close() {
      const ended = once(child, 'close')
      child.stdin.end()
      await ended
      return Number(told.trim().split('\n').at(-1))
    },
  }
}
