import { openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { type DestinationStream, destination, multistream, pino } from 'pino'
import { StartRefusal } from '#start-refusal.ts'

export interface Log {
  logger: FastifyBaseLogger
  /** Ends when the last line is written; nothing may be logged after it. */
  close(): Promise<void>
}

/** So much waits for a disk that takes nothing; lines beyond it are dropped. */
const WAITING_BYTES = 4 * 1024 * 1024

/** Everything goes to the file; only warnings and worse reach the terminal. */
export async function openLog(
  file: string,
  level: string,
  terminal: DestinationStream = destination({ dest: 2, sync: true }),
): Promise<Log> {
  const fd = await openForAppending(file).catch((fault) => {
    throw new StartRefusal(
      `The log ${file} cannot be written (${fault.code}). Correct its permissions, or set BINNACLE_DATA to another folder.`,
    )
  })
  const toFile = destination({ fd, sync: false, maxLength: WAITING_BYTES })
  toFile.on('error', () => {
    // A full disk must not end the server. What was not written is tried again with the next line; only the flush at
    // the end of the process would try for ever.
    toFile.flushSync = () => {}
  })
  const streams = multistream([
    { level: 'trace', stream: toFile },
    { level: 'warn', stream: terminal },
  ])
  return {
    logger: pino({ level, base: null, timestamp: isoTime, serializers: { req: methodAndPath } }, streams),
    async close() {
      const closed = new Promise((resolve) => toFile.once('close', resolve))
      toFile.once('error', () => toFile.destroy())
      toFile.end()
      await closed
    },
  }
}

async function openForAppending(file: string): Promise<number> {
  await mkdir(dirname(file), { recursive: true })
  return openSync(file, 'a')
}

/** One line per request. Query values can be secrets (a setting's value), so only their names are written. */
export class RequestLog extends LogController {
  override incomingRequest(): void {
    // The line at the end says all there is to say.
  }

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const line = {
      event: 'request',
      ...methodAndPath(request),
      query: Object.keys(Object(request.query)),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    }
    if (error) request.log.warn({ ...line, err: error })
    else request.log.info(line)
  }

  override routeNotFound(): void {
    // The problem reply is logged where it is sent.
  }
}

/** How a request is named in the log, Fastify's own lines included. */
export function methodAndPath({ method, url }: { method?: string | undefined; url?: string | undefined }) {
  return { method, path: url?.split(/[?#]/, 1)[0] }
}

function isoTime(): string {
  return `,"time":"${new Date().toISOString()}"`
}
