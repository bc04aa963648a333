import * as z from 'zod'
import { object } from '#object.ts'
import { sharedEndpoint } from './endpoint.ts'
import { Health } from './health.ts'

/** The calls that each of the three listeners answers (CALL-1). */
export const listener = {
  health: sharedEndpoint('GET /api/health', {
    summary: 'Health of this listener',
    role: 'anyone',
    origin: 'documented',
    alwaysOn: true,
    reply: Health,
  }),
  ready: sharedEndpoint('GET /api/ready', {
    summary:
      'Whether this listener can do its work: 200, or 503 with what is missing. Health only says that the process runs',
    role: 'anyone',
    origin: 'ours',
    alwaysOn: true,
    reply: object(() => ({ status: z.string() })),
  }),
  openapi: sharedEndpoint('GET /api/openapi.json', {
    summary: 'The calls of this listener as an OpenAPI 3.1 document; the trading port serves all of them',
    role: 'anyone',
    origin: 'ours',
    reply: z.looseObject({ openapi: z.string() }),
  }),
}
