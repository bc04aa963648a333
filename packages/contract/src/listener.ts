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
}
