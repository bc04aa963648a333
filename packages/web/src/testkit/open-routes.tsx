import { type Route, routes, service, services } from '@binnacle/contract'
import { screen, within } from '@testing-library/react'
import { createFakeApi } from './fake-api.ts'
import { renderConsole } from './render-page.tsx'

export const listing: Route = {
  id: 7,
  api_endpoint_id: 1,
  method: 'GET',
  path: '/api/orders',
  description: 'List the orders',
  parameters: '{"limit":5}',
  is_active: 1,
  requires_auth: 0,
}
export const placing: Route = {
  ...listing,
  id: 'r-8',
  method: 'POST',
  description: 'Place an order',
  requires_auth: 1,
}
const closing: Route = {
  ...listing,
  id: 9,
  method: 'DELETE',
  description: 'Cancel an order',
  is_active: 0,
}

interface Opened {
  listed?: Route[]
  capabilities?: string[]
}

/** Opens the console at the routes of one service. */
export async function openRoutes({ listed = [listing, placing, closing], capabilities }: Opened = {}) {
  const api = createFakeApi()
  if (capabilities) api.on(service.capabilities, { capabilities })
  api.on(services.health, { health: [{ endpoint: '1', status: 'healthy' }] })
  api.on(services.list, { endpoints: [{ id: 1, name: 'Trading API', description: null, url: '' }] })
  api.on(routes.list, { routes: listed })
  const { user, queryClient } = renderConsole('/admin/api-config?service=1')
  await screen.findByRole('region', { name: 'Routes' })
  if (listed[0]) await screen.findByText(listed[0].description ?? '')
  return { api, user, queryClient }
}

export function routeRow(description: string): HTMLElement {
  // A row is the list item around its description.
  return screen.getByText(description).closest('li') as HTMLElement
}

export function routeButton(description: string, name: string): HTMLElement {
  return within(routeRow(description)).getByRole('button', { name })
}
