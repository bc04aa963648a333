import {
  type MutationKey,
  type QueryClient,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { type Backend, capabilityQueries } from './capabilities.ts'
import { isRefusal, logOnly } from './failure.ts'
import { type FindListed, hashText, IdempotencyKeyStore } from './idempotency-keys.ts'

/**
 * 'refused': nothing was done. 'unknown': no usable answer came, so the command may have taken effect.
 * 'baseline': not distinguished, since the specification wants bare failures of that backend silent.
 */
export type FailureOutcome = 'refused' | 'unknown' | 'baseline'

export interface CommandFailure {
  error: unknown
  outcome: FailureOutcome
}

export interface FailureContext {
  outcome: FailureOutcome
  /** The screen that sent the command is no longer open, so it cannot show the failure itself. */
  isUnmounted: boolean
}

/** May return how its message is removed, which happens at the next try (CLIENT-16). */
export type OnFailure<Request> = (
  error: unknown,
  request: Request,
  context: FailureContext,
) => (() => void) | undefined

/** What the screen decides: what a failure does (required), and what follows a start and an OK. */
export interface CommandOptions<Request, Reply = unknown> {
  onFailure: OnFailure<Request>
  /** The request was sent, not ignored as a repeat. */
  onStart?: (request: Request) => void
  /** The OK came; what the command changed is still being loaded again. */
  onDone?: (reply: Reply, request: Request) => void
}

interface CommandDefinition<Request, Reply, Done extends Reply> {
  /** Commands with one key share their pending subjects. */
  key: MutationKey
  /** What the request changes. Two requests for one subject are never pending at once. Default: one subject per key. */
  subject?: (request: Request) => string
  /** The key is for calls that take one; it is undefined unless the command is idempotent, and in the baseline. */
  send: (request: Request, idempotencyKey: string | undefined) => Promise<Reply>
  /** Absent for a command that may be carried out again. */
  idempotency?: Idempotency<Request>
  /** Without this every OK counts. Any other reply is ignored: no onDone, no reload. */
  isDone?: (reply: Reply) => reply is Done
  /** Loads again what the command changed; the command is pending until this ends. */
  reload?: (client: QueryClient, request: Request) => Promise<unknown>
  /** Reload after a failure too: a failed request may still have taken effect. */
  reloadsAfterFailure?: boolean
}

/** With which key a request is sent again after its answer was lost, so that it takes effect once. */
type Idempotency<Request> =
  /** CLIENT-19: the key of an equal request, for work that no list shows. */
  | { by: 'request' }
  /** ORD-22: the key of the command, until the outcome of the earlier request is known. */
  | {
      by: 'list'
      /** The ids of the listed entries that equal a request sent then: a new one shows that it took effect. */
      findListed: (client: QueryClient, request: Request, sentAtMs: number) => readonly string[]
      /** ORD-550: asks the server whether the outcome of a key is final; asked once no request of it is under way. */
      checkKeySettled?: (key: string) => Promise<boolean>
    }

export interface Command<Request> {
  /** Sends the request and returns true, or returns false while the same subject is pending. */
  run: (request: Request, onReloaded?: () => void) => boolean
  isPending: boolean
  pendingSubjects: ReadonlySet<string>
  /** The failure of the last request; undefined once another one is sent or after `reset`. */
  failure: CommandFailure | undefined
  /** An earlier request got no answer and may still take effect; the next one is sent with the same key. */
  isUnanswered: boolean
  /** Those requests; at most one of them takes effect. */
  unanswered: readonly unknown[]
  /** Clears the failure of the last request, for a form that is opened again. */
  reset: () => void
}

interface Variables<Request> {
  subject: string
  request: Request
  onReloaded: (() => void) | undefined
}

/**
 * The only way in which the console changes something on a server or a port. Nothing is optimistic: the screen shows
 * the change when the lists are loaded again.
 */
export function useCommand<Request, Reply, Done extends Reply = Reply>(
  command: CommandDefinition<Request, Reply, Done>,
  options: CommandOptions<Request, Done>,
): Command<Request> {
  const client = useQueryClient()
  const { idempotency } = command
  const list = idempotency?.by === 'list' ? idempotency : undefined
  const findListed = useFindListed(client, list?.findListed)
  // By its text: some commands have a new array at each rendering.
  const name = command.key.join('.')
  const keys = useMemo(() => findListed && new IdempotencyKeyStore(name, findListed), [name, findListed])
  const isMounted = useIsMounted()
  const mutation = useMutation({
    mutationKey: command.key,
    mutationFn: ({ request }: Variables<Request>) => {
      const backend = client.getQueryData<Backend>(capabilityQueries.all)
      const send = (key?: string) => command.send(request, key)
      if (backend?.kind !== 'live') return send()
      if (keys) return keys.send(request, send)
      if (idempotency === undefined) return send()
      // The name is stored, and a request may hold a secret.
      const requestName = `${name}.${hashText(JSON.stringify(request))}`
      return new IdempotencyKeyStore(requestName, undefined).send(request, send)
    },
    onSuccess: async (reply, { request, onReloaded }) => {
      const { isDone = isAnyReply<Reply, Done> } = command
      if (!isDone(reply)) return
      options.onDone?.(reply, request)
      await command.reload?.(client, request)
      onReloaded?.()
    },
    onError: (error, { subject, request }) => {
      const outcome = outcomeOf(client, error)
      const remove = options.onFailure(error, request, { outcome, isUnmounted: !isMounted.current })
      if (remove) failureRemovals.set(removalKey(command.key, subject), remove)
      const reloaded = command.reloadsAfterFailure ? command.reload?.(client, request) : undefined
      // A server that does not answer must not keep the command pending for the time of a second timeout.
      return outcome === 'unknown' ? undefined : reloaded
    },
  })
  const { mutate, reset: resetMutation } = mutation
  const failure =
    mutation.status === 'error'
      ? { error: mutation.error, outcome: outcomeOf(client, mutation.error) }
      : undefined
  const { key, subject: subjectOf = singleSubject } = command
  const { onStart } = options
  const run = useCallback(
    (request: Request, onReloaded?: () => void) => {
      const subject = subjectOf(request)
      // Read from the cache, not from the last render: the second click of a double click may come before it.
      const pending = client.getMutationCache().findAll({ mutationKey: key, status: 'pending' })
      if (pending.some(({ state }) => variablesOf(state.variables).subject === subject)) return false
      removeFailure(removalKey(key, subject))
      mutate({ subject, request, onReloaded })
      onStart?.(request)
      return true
    },
    [client, key, subjectOf, mutate, onStart],
  )
  const pendingSubjects = usePendingSubjects(key)
  const isPending = pendingSubjects.size > 0
  // While the failure is shown the key stays, so that pressing again never carries the request out twice.
  const isFollowed = !failure && !isPending
  const isUnanswered = useUnanswered(client, keys, isFollowed)
  useSettledByServer({
    name,
    keys,
    checkKeySettled: list?.checkKeySettled,
    isAsked: isUnanswered && isFollowed,
  })
  const unanswered = isUnanswered ? (keys?.requests() ?? []) : []
  return { run, isPending, pendingSubjects, failure, isUnanswered, unanswered, reset: resetMutation }
}

/** Removes the last failure message of a subject, on whatever screen it was tried. */
const failureRemovals = new Map<string, () => void>()

function removeFailure(key: string): void {
  failureRemovals.get(key)?.()
  failureRemovals.delete(key)
}

function removalKey(key: MutationKey, subject: string): string {
  return JSON.stringify([key, subject])
}

function useFindListed<Request>(
  client: QueryClient,
  find: ((client: QueryClient, request: Request, sentAtMs: number) => readonly string[]) | undefined,
): FindListed | undefined {
  return useMemo(() => {
    if (!find) return undefined
    // The stored requests of a command are its own.
    return (request, sentAtMs) => find(client, request as Request, sentAtMs)
  }, [client, find])
}

/** Follows the list, if allowed, until it shows the unanswered request. */
function useUnanswered(
  client: QueryClient,
  keys: IdempotencyKeyStore | undefined,
  isFollowed: boolean,
): boolean {
  const read = keys?.isUnanswered ?? isNever
  const isUnanswered = useSyncExternalStore(keys?.subscribe ?? subscribeToNothing, read, read)
  useEffect(() => {
    if (!keys || !isUnanswered || !isFollowed) return
    const settle = () => keys.settleIfListed()
    settle()
    return client.getQueryCache().subscribe(settle)
  }, [client, keys, isUnanswered, isFollowed])
  return isUnanswered
}

const UNANSWERED_POLL_MS = 5_000

interface SettledByServerOptions {
  name: string
  keys: IdempotencyKeyStore | undefined
  checkKeySettled: ((key: string) => Promise<boolean>) | undefined
  isAsked: boolean
}

/** ORD-550: asks the server at intervals whether the outcome of the unanswered request is final. */
function useSettledByServer({ name, keys, checkKeySettled, isAsked }: SettledByServerOptions): void {
  useQuery({
    queryKey: ['unanswered', name],
    queryFn: async () => {
      if (keys && checkKeySettled) await keys.settleByServer(checkKeySettled)
      return null
    },
    enabled: isAsked && checkKeySettled !== undefined,
    refetchInterval: UNANSWERED_POLL_MS,
    gcTime: 0,
    meta: { onFailure: logOnly, isPolled: true },
  })
}

function isNever(): boolean {
  return false
}

function subscribeToNothing(): () => void {
  return () => {}
}

function outcomeOf(client: QueryClient, error: unknown): FailureOutcome {
  const backend = client.getQueryData<Backend>(capabilityQueries.all)
  if (backend?.kind === 'baseline') return 'baseline'
  return isRefusal(error) ? 'refused' : 'unknown'
}

function useIsMounted() {
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}

/** The subjects of the pending commands whose key begins with this one, on whatever screen they were started. */
export function usePendingSubjects(key: MutationKey): ReadonlySet<string> {
  const subjects = useMutationState({
    filters: { mutationKey: key, status: 'pending' },
    select: ({ state }) => variablesOf(state.variables).subject,
  })
  return useMemo(() => new Set(subjects), [subjects])
}

/** The requests of the pending commands; the caller knows their type by the key. */
export function usePendingRequests(key: MutationKey): readonly unknown[] {
  return useMutationState({
    filters: { mutationKey: key, status: 'pending' },
    select: ({ state }) => variablesOf(state.variables).request,
  })
}

/** For replies that may say `success: false` inside a 200. */
export function isSuccess<Reply extends { success: boolean }>(
  reply: Reply,
): reply is Reply & { success: true } {
  return reply.success
}

// Without `isDone`, Done is Reply itself.
function isAnyReply<Reply, Done extends Reply>(_: Reply): _ is Done {
  return true
}

function singleSubject(): string {
  return 'single'
}

function variablesOf(variables: unknown): Variables<unknown> {
  // Every mutation of the console is started by useCommand, which wraps the request.
  return variables as Variables<unknown>
}
