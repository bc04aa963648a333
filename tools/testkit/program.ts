import { type ChildProcess, spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'

export interface Program {
  child: ChildProcess
  /** Everything printed so far, both streams. */
  output(): string
  /** Resolves with the first line that contains the words. */
  line(words: string): Promise<string>
  ended: Promise<number | null>
}

/** Starts a script with the Node of the tests. The process is killed after the test. */
export function start(script: string, args: string[] = [], env: NodeJS.ProcessEnv = process.env): Program {
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk
    })
  }
  return {
    child,
    output: () => text,
    line: (words) => lineOf(child, words, () => text),
    ended: new Promise((resolve) => child.on('close', resolve)),
  }
}

function lineOf(child: ChildProcess, words: string, text: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const line = text()
        .split('\n')
        .find((candidate) => candidate.includes(words))
      if (line !== undefined) resolve(line)
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.on('close', () => reject(new Error(`It ended without printing '${words}':\n${text()}`)))
    look()
  })
}
