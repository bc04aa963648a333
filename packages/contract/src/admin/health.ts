import { adminEndpoint } from '#endpoint.ts'
import { Health } from '#health.ts'

export const adminHealth = {
  check: adminEndpoint('GET /api/admin/health', {
    summary: 'Health of the admin database API',
    role: 'anyone',
    origin: 'documented',
    alwaysOn: true,
    reply: Health,
  }),
}
