import { endpoint } from './endpoint.ts'
import { Health } from './health.ts'

/** What each of the three listeners answers, whichever API it serves (CALL-1). */
export const listener = {
  health: endpoint('GET /api/health', {
    summary: 'Whether this listener is up',
    role: 'anyone',
    origin: 'documented',
    alwaysOn: true,
    reply: Health,
  }),
}
