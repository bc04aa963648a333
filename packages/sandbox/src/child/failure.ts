import { fileURLToPath } from 'node:url'
import type { FailureMessage } from './protocol.ts'

const MESSAGE_MAX_CHARS = 300

/** The thrown value in one line, with its position in the folder. Reading it may run code of the module. */
export function describeFailure(thrown: unknown, folder: string): FailureMessage {
  const stack = readText(() => (thrown instanceof Error ? thrown.stack : ''))
  const message = readText(() => (thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : thrown))
  const oneLine = message.replaceAll(fileURLToPath(folder), '').replace(/\s+/g, ' ').trim()
  return { message: oneLine.slice(0, MESSAGE_MAX_CHARS) || 'nothing', where: placeIn(stack, folder) }
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
