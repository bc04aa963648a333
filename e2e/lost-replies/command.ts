import type { Page, Request } from '@playwright/test'
import type { Api } from './api.ts'

/** A command of a screen, and what the screen says when its reply is lost. */
export interface LostCommand {
  name: string
  /** The request that is disturbed, as in the contract: 'DELETE /api/orders/:id'. */
  call: string
  /** Only requests with such a body, where a call has several uses. */
  body?: RegExp
  /** How long the console waits for an answer, if not 30 s. */
  timeoutMs?: number
  /** Creates what the command acts on and returns its name. */
  prepare?: (api: Api) => Promise<string>
  /** Opens the screen, up to the point from which `press` can be repeated. */
  open: (page: Page, subject: string) => Promise<void>
  press: (page: Page, subject: string) => Promise<void>
  says: string | RegExp
  /** Once it is carried out its button is gone, so that it cannot be pressed again. */
  removesButton?: boolean
  /** How often it was carried out. Commands that create something have it, and are pressed again. */
  count?: (api: Api, subject: string) => Promise<number>
  /** Undoes what would change the commands after it. */
  cleanUp?: (api: Api) => Promise<unknown>
}

/** Whether a request is the call of a command. */
export function isCallOf({ call, body }: LostCommand, request: Request): boolean {
  const [method, path = ''] = call.split(' ')
  const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
  if (request.method() !== method || !pattern.test(new URL(request.url()).pathname)) return false
  return body === undefined || body.test(request.postData() ?? '')
}
