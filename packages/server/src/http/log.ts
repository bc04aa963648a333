import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { type ChildLoggerOptions, type DestinationStream, destination, multistream, pino } from 'pino'
import { StartRefusal } from '#config/start-refusal.ts'
import { isoTime } from './iso-time.ts'
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
  const logger = pino(
    { level, base: null, timestamp: timestampField, serializers: { req: methodAndPath } },
    streams,
  )
  const writeInfo = (line: string) => {
    if (!logger.isLevelEnabled('info')) return
    toFile.write(line)
    tail.write(line)
  }
  return {
    // Children inherit it.
    logger: Object.assign(logger, { writeInfo }),
    tail,
    close: () => toFile.close(),
  }
}

/** Logs an error that ends the process; the exit flushes the file. Returns a function that ends it. */
export function logUncaught(logger: FastifyBaseLogger): () => void {
  const log = (err: Error, origin: string) => logger.fatal({ event: 'process.uncaught', origin, err })
  process.on('uncaughtExceptionMonitor', log)
  return () => process.off('uncaughtExceptionMonitor', log)
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

/** A logger that also takes lines that are JSON already, of the level info. */
interface LineLogger extends FastifyBaseLogger {
  writeInfo?(line: string): void
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
    // Through the app's logger: a child per request costs as much as its line.
    const log: LineLogger = request.server.log
    if (error) log.warn({ ...completion(request, reply), err: error })
    else if (log.writeInfo === undefined) log.info(completion(request, reply))
    else log.writeInfo(completionLine(request, reply))
  }

  override routeNotFound(): void {
    // The problem reply is logged where it is sent.
  }
}

function completion(request: FastifyRequest, reply: FastifyReply) {
  const { method, path = '' } = methodAndPath(request)
  return {
    request_id: request.id,
    event: 'request',
    method,
    path,
    query: Object.keys(Object(request.query)),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
  }
}

/** As pino writes it, which takes eight times as long for the line that every request has. */
function completionLine(request: FastifyRequest, reply: FastifyReply): string {
  const { request_id, event, method, path, query, status, ms } = completion(request, reply)
  const start = `{"level":30${timestampField()},"request_id":"${request_id}","event":"${event}","method":"${method}"`
  return `${start},"path":${JSON.stringify(path)},"query":${JSON.stringify(query)},"status":${status},"ms":${ms}}\n`
}

/** Identifies a request in the log, in Fastify's own lines too. */
export function methodAndPath({ method, url }: { method?: string | undefined; url?: string | undefined }) {
  const end = url?.search(/[?#]/) ?? -1
  return { method, path: end < 0 ? url : url?.slice(0, end) }
}

type Line = [fields: unknown, message?: string, ...values: unknown[]]

/**
 * Delays the child logger of each request to its first line: most requests have only the line of their completion, which
 * the app's logger writes. Fastify's option for this checks all methods of every new logger.
 */
export function createChildrenLater(logger: FastifyBaseLogger): void {
  const create = logger.child.bind(logger)
  logger.child = (...given) => new LaterLogger(() => create(...given))
}

class LaterLogger implements FastifyBaseLogger {
  readonly #create: () => FastifyBaseLogger
  #created: FastifyBaseLogger | undefined

  constructor(create: () => FastifyBaseLogger) {
    this.#create = create
  }

  get level(): string {
    return this.#logger.level
  }

  fatal(...line: Line): void {
    this.#logger.fatal(...line)
  }

  error(...line: Line): void {
    this.#logger.error(...line)
  }

  warn(...line: Line): void {
    this.#logger.warn(...line)
  }

  info(...line: Line): void {
    this.#logger.info(...line)
  }

  debug(...line: Line): void {
    this.#logger.debug(...line)
  }

  trace(...line: Line): void {
    this.#logger.trace(...line)
  }

  silent(): void {
    // Logs nothing.
  }

  child(bindings: object, options?: ChildLoggerOptions): FastifyBaseLogger {
    return this.#logger.child(bindings, options)
  }

  get #logger(): FastifyBaseLogger {
    this.#created ??= this.#create()
    return this.#created
  }
}

function timestampField(): string {
  return `,"time":"${isoTime(Date.now())}"`
}
