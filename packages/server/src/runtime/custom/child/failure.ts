import { fileURLToPath } from 'node:url'
import type { FailureTold } from './protocol.ts'

const LONGEST_MESSAGE = 300

/** What the module threw, in one line, and where in the folder it was. Nothing that was thrown is trusted. */
export function describeFailure(thrown: unknown, folder: string): FailureTold {
  const stack = readText(() => (thrown instanceof Error ? thrown.stack : ''))
  const message = readText(() => (thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : thrown))
  const oneLine = message.replaceAll(fileURLToPath(folder), '').replace(/\s+/g, ' ').trim()
  return { message: oneLine.slice(0, LONGEST_MESSAGE) || 'nothing', where: placeIn(stack, folder) }
}

function placeIn(stack: string, folder: string): string | null {
  const from = stack.indexOf(folder)
  if (from < 0) return null
  const [, file, line] = /^([^\s:()]{1,200}):(\d{1,9})/.exec(stack.slice(from + folder.length)) ?? []
  return file === undefined ? null : `${decodeURI(file)}:${line}`
}

function readText(read: () => unknown): string {
  try {
    return String(read() ?? '')
  } catch {
    return ''
  }
}
