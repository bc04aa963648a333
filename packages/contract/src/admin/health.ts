import { endpoint } from '#endpoint.ts'
import { Health } from '#health.ts'

export const adminHealth = {
  check: endpoint('GET /api/admin/health', {
    summary: 'Whether the admin database API is up',
    role: 'anyone',
    origin: 'documented',
    alwaysOn: true,
    reply: Health,
  }),
}
