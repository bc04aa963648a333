import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { type DestinationStream, destination, multistream, pino } from 'pino'
import { StartRefusal } from '#storage/start-refusal.ts'
import { createIsoFormatter } from './iso-time.ts'
import { type LogFile, openLogFile } from './log-file.ts'
import { createLogTail, type LogTail } from './log-tail.ts'

export interface Log {
  logger: FastifyBaseLogger
  readonly tail: LogTail
  /** Resolves when the last line is written; nothing may be logged after it. */
  close(): Promise<void>
}

/** Logs everything to the file, and warnings and errors to the terminal too. */
export async function openLog(
  file: string,
  level: string,
  terminal: DestinationStream = destination({ dest: 2, sync: true }),
): Promise<Log> {
  const tail = createLogTail(file)
  const toFile = await openOrRefuse(file)
  const streams = multistream([
    { level: 'trace', stream: toFile },
    { level: 'trace', stream: tail },
    { level: 'warn', stream: terminal },
  ])
  return {
    logger: pino(
      { level, base: null, timestamp: timestampField, serializers: { req: methodAndPath } },
      streams,
    ),
    tail,
    close: () => toFile.close(),
  }
}

async function openOrRefuse(file: string): Promise<LogFile> {
  try {
    return openLogFile(file)
  } catch (fault) {
    // Errors of the file system have a code.
    const { code } = fault as NodeJS.ErrnoException
    throw new StartRefusal(
      `The log ${file} cannot be written (${code}). Correct its permissions, or set BINNACLE_DATA to another folder.`,
    )
  }
}

/** Logs one line per request. Query values can be secrets (a setting's value), so only their names are logged. */
export class RequestLog extends LogController {
  override incomingRequest(): void {
    // Logged once, at completion.
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

/** Identifies a request in the log, in Fastify's own lines too. */
export function methodAndPath({ method, url }: { method?: string | undefined; url?: string | undefined }) {
  return { method, path: url?.split(/[?#]/, 1)[0] }
}

const formatIso = createIsoFormatter()

function timestampField(): string {
  return `,"time":"${formatIso(Date.now())}"`
}
