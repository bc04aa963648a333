import type { Page } from '@playwright/test'
import { AdminDatabasePage } from '#pages/admin/admin-database.ts'
import { ApiConfigurationPage } from '#pages/admin/api-configuration.ts'
import { ComponentsPage } from '#pages/admin/components.ts'
import { MaintenancePage } from '#pages/admin/maintenance.ts'
import { type Api, nextNumber } from './api.ts'
import type { LostCommand } from './command.ts'

export const ADMIN_COMMANDS: readonly LostCommand[] = [
  {
    name: 'Save of a setting',
    call: ['PUT', /\/api\/admin\/settings\//],
    open: async (page) => {
      const database = new AdminDatabasePage(page)
      await database.open()
      await database.edit('system_name', `Desk ${nextNumber()}`)
    },
    press: (page) => new AdminDatabasePage(page).finish('system_name', 'Save'),
    says: 'No answer. The setting may have been changed',
  },
  {
    name: 'Add Route',
    call: ['POST', /\/api\/admin\/routes$/],
    prepare: async () => `Lost route ${nextNumber()}`,
    open: async (page, description) => {
      const api = await openRoutes(page)
      await api.control('Add Route').click()
      await api.fill({ method: 'GET', path: pathOf(description), description, parameters: '{}' })
    },
    press: (page) => new ApiConfigurationPage(page).submit('Add Route'),
    says: 'No answer. The route may have been added',
    count: (api, description) =>
      api.countListed(
        '/api/admin/routes/by-endpoint/1',
        'routes',
        (route) => route.description === description,
      ),
  },
  {
    name: 'Edit of a route',
    call: ['PUT', /\/api\/admin\/routes\//],
    prepare: addRoute,
    open: async (page, description) => {
      const api = await openRoutes(page)
      await api.action(description, 'Edit').click()
    },
    press: (page) => new ApiConfigurationPage(page).submit('Save'),
    says: 'No answer. The route may have been updated',
  },
  {
    name: 'Toggle of a route',
    call: ['PUT', /\/api\/admin\/routes\//],
    prepare: addRoute,
    open: async (page) => {
      await openRoutes(page)
    },
    press: (page, description) => new ApiConfigurationPage(page).action(description, 'Toggle').click(),
    says: 'No answer. The route may have been switched',
  },
  {
    name: 'Delete of a route',
    call: ['DELETE', /\/api\/admin\/routes\//],
    prepare: addRoute,
    open: async (page) => {
      await openRoutes(page)
    },
    press: async (page, description) => {
      const api = new ApiConfigurationPage(page)
      await api.action(description, 'Delete').click()
      await api.deleteQuestion.yes()
    },
    says: 'No answer. The route may have been deleted',
  },
  {
    name: 'Test of a route',
    call: ['POST', /\/api\/admin\/routes\/[^/]+\/test$/],
    prepare: addRoute,
    open: async (page) => {
      await openRoutes(page)
    },
    press: (page, description) => new ApiConfigurationPage(page).action(description, 'Test').click(),
    says: 'No answer. The test request may have been sent.',
  },
  ...(['Stop', 'Restart'] as const).map(
    (act): LostCommand => ({
      name: `${act} of a component`,
      call: ['POST', new RegExp(`/api/component/${act.toLowerCase()}$`)],
      prepare: runCache,
      open: (page) => new ComponentsPage(page).open(),
      press: async (page) => {
        await new ComponentsPage(page).action('Cache', act).click()
        await page.getByRole('dialog').getByRole('button', { name: act }).click()
      },
      says: /No answer\. Cache may have been (stopped|restarted)/,
    }),
  ),
  {
    name: 'Start of a component',
    call: ['POST', /\/api\/component\/start$/],
    prepare: async (api) => {
      await runCache(api)
      await api.post('/api/component/stop', { component: 'Cache' })
      return 'Cache'
    },
    open: (page) => new ComponentsPage(page).open(),
    press: (page) => new ComponentsPage(page).action('Cache', 'Start').click(),
    says: 'No answer. Cache may have been started',
  },
  {
    name: 'Config of a component',
    call: ['POST', /\/api\/component\/configure$/],
    prepare: runCache,
    open: (page) => new ComponentsPage(page).open(),
    press: async (page) => {
      await new ComponentsPage(page).action('Cache', 'Config').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    },
    says: 'No answer. Cache may have been configured',
  },
  {
    name: 'Export Catalog',
    call: ['POST', /\/api\/database\/backup$/],
    prepare: countJobs,
    open: (page) => new MaintenancePage(page).open(),
    press: (page) => new MaintenancePage(page).action('Parquet', 'Export Catalog').click(),
    says: 'No answer. The backup of Parquet may be running or finished',
    count: newJobs,
  },
  {
    name: 'Full Backup',
    call: ['POST', /\/api\/database\/backup$/],
    prepare: countJobs,
    open: (page) => new MaintenancePage(page).open(),
    press: (page) => new MaintenancePage(page).action('Maintenance', 'Full Backup').click(),
    says: 'No answer. The backup of all databases may be running or finished',
    count: newJobs,
  },
]

async function openRoutes(page: Page): Promise<ApiConfigurationPage> {
  const api = new ApiConfigurationPage(page)
  await api.openWith('Trading API')
  return api
}

async function addRoute(api: Api): Promise<string> {
  const description = `Lost route ${nextNumber()}`
  const route = { method: 'GET', path: pathOf(description), description, parameters: '{}' }
  await api.post('/api/admin/routes', { api_endpoint_id: 1, ...route, requires_auth: 0 })
  return description
}

function pathOf(description: string): string {
  return `/${description.toLowerCase().replaceAll(' ', '-')}`
}

async function runCache(api: Api): Promise<string> {
  await api.post('/api/component/start', { component: 'Cache' })
  return 'Cache'
}

/** The number of jobs so far, as the subject's name. */
async function countJobs(api: Api): Promise<string> {
  return String((await api.get('/api/admin/jobs')).jobs.length)
}

async function newJobs(api: Api, before: string): Promise<number> {
  return (await api.get('/api/admin/jobs')).jobs.length - Number(before)
}
