import type { Page } from '@playwright/test'
import { AdaptersPage } from '#pages/admin/adapters.ts'
import { AdminDatabasePage } from '#pages/admin/admin-database.ts'
import { ApiConfigurationPage } from '#pages/admin/api-configuration.ts'
import { ComponentsPage } from '#pages/admin/components.ts'
import { FeaturesPage } from '#pages/admin/features.ts'
import { type MaintenanceCard, MaintenancePage } from '#pages/admin/maintenance.ts'
import { SettingsPage } from '#pages/admin/settings.ts'
import { type Api, nextNumber } from './api.ts'
import type { LostCommand } from './command.ts'

export const ADMIN_COMMANDS: readonly LostCommand[] = [
  {
    name: 'Save of a setting',
    call: 'PUT /api/admin/settings/:setting_key',
    open: async (page) => {
      const database = new AdminDatabasePage(page)
      await database.open()
      await database.edit('system_name', `Desk ${nextNumber()}`)
    },
    press: (page) => new AdminDatabasePage(page).finish('system_name', 'Save'),
    says: 'No answer. The setting may have been changed',
  },
  {
    name: 'Save of a section of settings',
    call: 'PUT /api/admin/system-settings',
    open: async (page) => {
      const settings = new SettingsPage(page)
      await settings.open()
      await settings.field('General', 'System Name').fill(`Desk ${nextNumber()}`)
    },
    press: (page) => new SettingsPage(page).action('General', 'Save').click(),
    says: 'No answer. General settings may have been saved',
    cleanUp: resetSettings,
  },
  {
    name: 'Reset of a section of settings',
    call: 'POST /api/admin/system-settings/reset',
    prepare: nameSystem,
    open: (page) => new SettingsPage(page).open(),
    press: async (page) => {
      await new SettingsPage(page).action('General', 'Reset').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    },
    says: 'No answer. General settings may have been reset',
    cleanUp: resetSettings,
  },
  {
    name: 'Revert of the settings',
    call: 'POST /api/admin/system-settings/versions/:version/revert',
    prepare: nameSystem,
    open: (page) => new SettingsPage(page).open(),
    press: async (page) => {
      await page.getByRole('button', { name: 'Revert to version 1', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).click()
    },
    says: 'No answer. The settings may have been reverted to version 1',
    cleanUp: resetSettings,
  },
  {
    name: 'Import of settings',
    call: 'POST /api/admin/system-settings/import',
    body: /"apply":true/,
    open: async (page) => {
      const settings = new SettingsPage(page)
      await settings.open()
      await settings.control('Import').click()
      await settings.chooseFile({ settings: { system_name: `Desk ${nextNumber()}` } })
    },
    press: (page) => page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click(),
    says: 'No answer. All settings may have been imported',
    cleanUp: resetSettings,
  },
  {
    name: 'Send test of a channel',
    call: 'POST /api/admin/notifications/:channel/test',
    open: async (page) => {
      await new SettingsPage(page).open()
      await page.getByText('Slack by webhook').click()
    },
    press: (page) => page.getByRole('button', { name: 'Send test: Slack by webhook' }).click(),
    says: 'No answer. The test message may have been sent',
  },
  {
    name: 'Create user',
    call: 'POST /api/admin/users',
    prepare: async () => `lost-${nextNumber()}`,
    open: async (page, username) => {
      await openTab(page, 'users')
      await page.getByRole('button', { name: 'Add user' }).click()
      await page.getByLabel('Username').fill(username)
      await page.getByLabel('Email').fill('lost@example.com')
    },
    press: (page) => page.getByRole('button', { name: 'Create user' }).click(),
    says: 'No answer. The user may have been added',
    count: (api, username) =>
      api.countListed('/api/admin/users', 'users', (user) => user.username === username),
  },
  {
    name: 'Activate of a user',
    call: 'PUT /api/admin/users/:id',
    prepare: (api) => addUser(api, 0),
    open: (page) => openTab(page, 'users'),
    press: (page, username) =>
      page.getByRole('button', { name: `Activate ${username}`, exact: true }).click(),
    says: /No answer\. User '.+' may have been changed/,
  },
  {
    name: 'Deactivate of a user',
    call: 'POST /api/admin/users/:id/deactivate',
    prepare: (api) => addUser(api, 1),
    open: (page) => openTab(page, 'users'),
    press: async (page, username) => {
      await page.getByRole('button', { name: `Deactivate ${username}`, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
    },
    says: /No answer\. User '.+' may have been changed/,
  },
  {
    name: 'Create configuration',
    call: 'POST /api/admin/api-configs',
    prepare: async () => `Lost feed ${nextNumber()}`,
    open: async (page, name) => {
      await openTab(page, 'configs')
      await page.getByRole('button', { name: 'Add configuration' }).click()
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('Endpoint').fill('/feed')
    },
    press: (page) => page.getByRole('button', { name: 'Create configuration' }).click(),
    says: 'No answer. The configuration may have been added',
    count: (api, name) =>
      api.countListed('/api/admin/api-configs', 'configs', (config) => config.name === name),
  },
  {
    name: 'Disable of a configuration',
    call: 'PUT /api/admin/api-configs/:id',
    prepare: addConfig,
    open: (page) => openTab(page, 'configs'),
    press: (page, name) => page.getByRole('button', { name: `Disable ${name}`, exact: true }).click(),
    says: /No answer\. Configuration '.+' may have been switched/,
  },
  {
    name: 'Delete of a configuration',
    call: 'DELETE /api/admin/api-configs/:id',
    prepare: addConfig,
    open: (page) => openTab(page, 'configs'),
    press: async (page, name) => {
      await page.getByRole('button', { name: `Delete ${name}`, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    },
    says: 'No answer. The configuration may have been deleted',
  },
  {
    name: 'Create task',
    call: 'POST /api/admin/tasks',
    prepare: async () => `Lost task ${nextNumber()}`,
    open: async (page, name) => {
      await openTab(page, 'tasks')
      await page.getByRole('button', { name: 'Add task' }).click()
      await page.getByRole('form', { name: 'Add task' }).getByLabel('Name').fill(name)
    },
    press: (page) => page.getByRole('button', { name: 'Create task' }).click(),
    says: 'No answer. The task may have been added',
    count: (api, name) => api.countListed('/api/admin/tasks', 'tasks', (task) => task.name === name),
  },
  {
    name: 'Disable of a task',
    call: 'PUT /api/admin/tasks/:id',
    prepare: addTask,
    open: (page) => openTab(page, 'tasks'),
    press: (page, name) => page.getByRole('button', { name: `Disable ${name}`, exact: true }).click(),
    says: /No answer\. Task '.+' may have been run or changed/,
  },
  {
    name: 'Delete of a task',
    call: 'DELETE /api/admin/tasks/:id',
    prepare: addTask,
    open: (page) => openTab(page, 'tasks'),
    press: async (page, name) => {
      await page.getByRole('button', { name: `Delete ${name}`, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    },
    says: /No answer\. Task '.+' may have been run or changed/,
  },
  {
    name: 'Run now of a task',
    call: 'POST /api/admin/tasks/:id/run',
    prepare: addTask,
    open: (page) => openTab(page, 'tasks'),
    press: (page, name) => page.getByRole('button', { name: `Run now ${name}`, exact: true }).click(),
    says: /No answer\. Task '.+' may have been run or changed/,
  },
  {
    name: 'Add Route',
    call: 'POST /api/admin/routes',
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
    call: 'PUT /api/admin/routes/:id',
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
    call: 'PUT /api/admin/routes/:id',
    prepare: addRoute,
    open: async (page) => {
      await openRoutes(page)
    },
    press: (page, description) => new ApiConfigurationPage(page).action(description, 'Toggle').click(),
    says: 'No answer. The route may have been switched',
  },
  {
    name: 'Delete of a route',
    call: 'DELETE /api/admin/routes/:id',
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
    call: 'POST /api/admin/routes/:id/test',
    prepare: addRoute,
    open: async (page) => {
      await openRoutes(page)
    },
    press: (page, description) => new ApiConfigurationPage(page).action(description, 'Test').click(),
    says: 'No answer. The test request may have been sent.',
  },
  ...(
    [
      ['Stop', 'POST /api/component/stop'],
      ['Restart', 'POST /api/component/restart'],
    ] as const
  ).map(
    ([act, call]): LostCommand => ({
      name: `${act} of a component`,
      call,
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
    name: 'Enable of a feature flag',
    call: 'PUT /api/features/:feature_id',
    prepare: restoreFlags,
    open: (page) => new FeaturesPage(page).open(),
    press: async (page, flag) => {
      await new FeaturesPage(page).action(flag, 'Enable').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click()
    },
    says: 'No answer. Advanced Analytics may have been enabled',
    cleanUp: restoreFlags,
  },
  {
    name: 'Disable All',
    call: 'PUT /api/features',
    prepare: restoreFlags,
    open: (page) => new FeaturesPage(page).open(),
    press: async (page) => {
      await new FeaturesPage(page).control('Disable All').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    },
    says: 'No answer. All feature flags may have been disabled',
    cleanUp: restoreFlags,
  },
  ...(
    [
      ['Start', 'POST /api/services/:service_id/start', 'stop'],
      ['Stop', 'POST /api/services/:service_id/stop', 'start'],
      ['Restart', 'POST /api/services/:service_id/restart', 'start'],
    ] as const
  ).map(
    ([act, call, before]): LostCommand => ({
      name: `${act} of a service`,
      call,
      prepare: async (api) => {
        await api.post(`/api/services/risk/${before}`)
        return 'Risk Service'
      },
      open: (page) => new FeaturesPage(page).open(),
      press: async (page, name) => {
        await new FeaturesPage(page).action(name, act).click()
        if (act !== 'Start') await page.getByRole('dialog').getByRole('button', { name: act }).click()
      },
      says: /No answer\. Risk Service may have been (started|stopped|restarted)/,
      cleanUp: (api) => api.post('/api/services/risk/stop'),
    }),
  ),
  ...(
    [
      ['connect', 'POST /api/adapters/:adapter_id/connect'],
      ['disconnect', 'POST /api/adapters/:adapter_id/disconnect'],
    ] as const
  ).map(
    ([act, call]): LostCommand => ({
      name: `Toggle of an adapter: ${act}`,
      call,
      prepare: async (api) => {
        await api.post(`/api/adapters/coinbase/${act === 'connect' ? 'disconnect' : 'connect'}`)
        return 'Coinbase'
      },
      open: openAdapters,
      press: async (page, name) => {
        await new AdaptersPage(page).action(name, 'Toggle').click()
        if (act === 'disconnect')
          await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
      },
      says: /No answer\. Coinbase may have been (connected|disconnected)/,
      cleanUp: restoreAdapters,
    }),
  ),
  {
    name: 'Test of an adapter',
    call: 'POST /api/adapters/:adapter_id/test',
    prepare: async () => 'Coinbase',
    open: openAdapters,
    press: (page, name) => new AdaptersPage(page).action(name, 'Test').click(),
    says: 'No answer. Coinbase may have been tested',
  },
  {
    name: 'Save of the configuration of an adapter',
    call: 'PUT /api/adapters/:adapter_id/config',
    prepare: async () => `${2 + (nextNumber() % 50)}`,
    open: async (page, seconds) => {
      await openAdapters(page)
      await new AdaptersPage(page).action('Coinbase', 'Config').click()
      await page.getByLabel('Reconnect after, s').fill(seconds)
    },
    press: (page) =>
      page
        .getByRole('form', { name: 'Configuration of Coinbase' })
        .getByRole('button', { name: 'Save' })
        .click(),
    says: 'No answer. Coinbase may have been configured',
  },
  ...(
    [
      ['Connect All', 'POST /api/adapters/connect-all'],
      ['Disconnect All', 'POST /api/adapters/disconnect-all'],
      ['Test All', 'POST /api/adapters/test-all'],
    ] as const
  ).map(
    ([button, call]): LostCommand => ({
      name: `${button} of the adapters`,
      call,
      open: openAdapters,
      press: async (page) => {
        await new AdaptersPage(page).control(button).click()
        if (button === 'Disconnect All')
          await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
      },
      says: /No answer\. All adapters may have been (connected|disconnected|tested)/,
      cleanUp: restoreAdapters,
    }),
  ),
  {
    name: 'Start of a component',
    call: 'POST /api/component/start',
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
    call: 'POST /api/component/configure',
    prepare: runCache,
    open: (page) => new ComponentsPage(page).open(),
    press: async (page) => {
      await new ComponentsPage(page).action('Cache', 'Config').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    },
    says: 'No answer. Cache may have been configured',
  },
  ...(
    [
      ['Start All', 'POST /api/component/start'],
      ['Stop All', 'POST /api/component/stop'],
      ['Restart All', 'POST /api/component/restart'],
    ] as const
  ).map(
    ([button, call]): LostCommand => ({
      name: button,
      call,
      prepare: startComponents,
      open: (page) => new ComponentsPage(page).open(),
      press: async (page) => {
        await new ComponentsPage(page).control(button).click()
        if (button === 'Start All') return
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^(Stop|Restart)$/ })
          .click()
      },
      // Each component has a request of its own, and only the first one is disturbed.
      says: 'No answer about one component.',
      cleanUp: startComponents,
    }),
  ),
  task('Parquet', 'Export Catalog', {
    call: 'POST /api/database/backup',
    job: 'maintenance.backup.parquet',
    says: 'No answer. The backup of Parquet may be running or finished',
  }),
  task('Maintenance', 'Full Backup', {
    call: 'POST /api/database/backup',
    job: 'maintenance.backup.all',
    says: 'No answer. The backup of all databases may be running or finished',
  }),
  task('Maintenance', 'Optimize All', {
    call: 'POST /api/database/optimize',
    job: 'maintenance.optimize.all',
    says: 'No answer. The optimization of all databases may be running or finished',
    confirm: 'Optimize',
  }),
  exportData(),
  cleanOldFiles(),
  {
    name: 'Preview of a clean',
    call: 'POST /api/database/clean',
    body: /dry_run/,
    open: (page) => new MaintenancePage(page).open(),
    press: (page) => new MaintenancePage(page).action('Parquet', 'Clean Old Files').click(),
    says: 'No answer. Nothing was changed.',
  },
  {
    name: 'View Stats',
    call: 'GET /api/nautilus/database/redis-stats',
    open: (page) => new MaintenancePage(page).open(),
    press: (page) => new MaintenancePage(page).action('Redis', 'View Stats').click(),
    says: 'No answer. Nothing was changed.',
  },
]

interface TaskOptions extends Pick<LostCommand, 'call' | 'says'> {
  /** The kind of job that the task runs as. */
  job: string
  /** The button of its confirmation. */
  confirm?: string
}

function task(card: MaintenanceCard, button: string, { call, says, job, confirm }: TaskOptions) {
  const ofTask = (api: Api) =>
    api.countListed('/api/admin/jobs?limit=500', 'jobs', ({ kind }) => kind === job)
  return {
    name: button,
    call,
    prepare: async (api: Api) => String(await ofTask(api)),
    open: (page: Page) => new MaintenancePage(page).open(),
    press: async (page: Page) => {
      await new MaintenancePage(page).action(card, button).click()
      if (confirm !== undefined) await page.getByRole('dialog').getByRole('button', { name: confirm }).click()
    },
    says,
    count: async (api: Api, before: string) => (await ofTask(api)) - Number(before),
  }
}

/** The button opens a drawer, which has the command. */
function exportData(): LostCommand {
  const command = task('Maintenance', 'Export Data', {
    call: 'POST /api/database/exports',
    job: 'maintenance.export.data',
    says: 'No answer. The export may be running or finished',
  })
  return {
    ...command,
    press: async (page) => {
      const drawer = page.getByRole('complementary', { name: 'Export Data' })
      if (!(await drawer.isVisible())) await command.press(page)
      await drawer.getByRole('button', { name: 'Export', exact: true }).click()
    },
  }
}

/** Each press shows a preview first, which is a job of the same kind. */
function cleanOldFiles(): LostCommand {
  const clean = task('Parquet', 'Clean Old Files', {
    call: 'POST /api/database/clean',
    job: 'maintenance.clean.parquet',
    says: 'No answer. The cleaning of Parquet may be running or finished',
    confirm: 'Clean',
  })
  let previews = 0
  return {
    ...clean,
    body: /^(?!.*dry_run)/,
    prepare: (api) => {
      previews = 0
      return clean.prepare(api)
    },
    press: (page) => {
      previews += 1
      return clean.press(page)
    },
    count: async (api, before) => (await clean.count(api, before)) - previews,
  }
}

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

/** The flags as the other commands need them. */
async function restoreFlags(api: Api): Promise<string> {
  for (const [id, enabled] of [
    ['risk-management', true],
    ['live-trading', true],
    ['backtesting', true],
    ['multi-exchange', true],
    ['advanced-analytics', false],
  ] as const)
    await api.put(`/api/features/${id}`, { enabled })
  return 'Advanced Analytics'
}

async function nameSystem(api: Api): Promise<string> {
  const system_name = `Desk ${nextNumber()}`
  await api.put('/api/admin/system-settings', { values: { system_name } })
  return system_name
}

function resetSettings(api: Api): Promise<unknown> {
  return api.post('/api/admin/system-settings/reset', {})
}

async function runCache(api: Api): Promise<string> {
  await api.post('/api/component/start', { component: 'Cache' })
  return 'Cache'
}

async function startComponents(api: Api): Promise<string> {
  const { components } = await api.get('/api/nautilus/system-info')
  for (const { id } of components) await api.post('/api/component/start', { component: id })
  return ''
}

async function openTab(page: Page, tab: string): Promise<void> {
  await page.goto(`/admin/database-management?tab=${tab}`)
  await page.getByRole('tab', { name: 'Audit log' }).waitFor()
}

async function addUser(api: Api, is_active: 0 | 1): Promise<string> {
  const username = `lost-${nextNumber()}`
  await api.post('/api/admin/users', { username, email: 'lost@example.com', role: 'viewer', is_active })
  return username
}

async function addConfig(api: Api): Promise<string> {
  const name = `Lost feed ${nextNumber()}`
  await api.post('/api/admin/api-configs', { name, endpoint: '/feed' })
  return name
}

async function addTask(api: Api): Promise<string> {
  const name = `Lost task ${nextNumber()}`
  await api.post('/api/admin/tasks', { name, kind: 'audit.verify', schedule: '0 3 1 1 *' })
  return name
}

async function openAdapters(page: Page): Promise<void> {
  const adapters = new AdaptersPage(page)
  await adapters.open()
  await adapters.entry('Coinbase').waitFor()
}

async function restoreAdapters(api: Api): Promise<void> {
  for (const id of ['binance', 'bybit', 'okx']) await api.post(`/api/adapters/${id}/connect`)
  for (const id of ['coinbase', 'interactive-brokers']) await api.post(`/api/adapters/${id}/disconnect`)
}
