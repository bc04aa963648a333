import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Source } from '@binnacle/stores'
import { onTestFinished } from 'vitest'
import { COMPILED } from '#testkit/compiled.ts'

const SCRIPT = join(import.meta.dirname, 'backup-steps.script.ts')
const MORE_THAN_ANY = 60

export interface KilledWork {
  act: 'make' | 'restore' | 'own'
  dataFolder: string
  source: Source
  backup?: number
  binFolder?: string | undefined
  /** Steps to skip, because another test kills at them. */
  passOver?: readonly string[]
}

/** Repeats the work, killed before the first step, the second and so on. Returns the number of steps. */
export async function killAtEveryStep(
  work: KilledWork,
  each: { before?: () => Promise<void>; after: (step: number) => Promise<void> },
): Promise<number> {
  for (let step = 1; step < MORE_THAN_ANY; step++) {
    await each.before?.()
    const ending = await killedBefore(step, work)
    if (ending === 0) return step - 1
    if (ending !== 'SIGKILL') throw new Error(`It ended with ${ending}, not by the kill at step ${step}`)
    await each.after(step)
  }
  throw new Error('There is no end to the steps')
}

async function killedBefore(step: number, work: KilledWork): Promise<number | string> {
  const args = [
    `--act=${work.act}`,
    `--data=${work.dataFolder}`,
    `--source=${JSON.stringify(work.source)}`,
    `--kill-before=${step}`,
    ...(work.backup === undefined ? [] : [`--backup=${work.backup}`]),
    ...(work.passOver ?? []).map((name) => `--pass-over=${name}`),
    ...(work.binFolder === undefined ? [] : [`--bin=${work.binFolder}`]),
  ]
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    env: COMPILED,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [code, signal] = await once(child, 'exit')
  return code ?? signal
}
