/** A journey over our own server that presses a button, and the check of what the server has after it. */
export interface LivePress {
  /** A file of journeys/server. */
  journey: string
  /** Both are texts of that file; the check stands after the press. */
  press: string
  effect: string
}

/** A journey over the specification backend, which has no capabilities. */
export interface BaselinePress {
  /** A file of journeys/admin. */
  journey: string
  press: string
}

/** What only changes the view has no effect on the server; its reason is in its place. */
export type AdminButton = readonly LivePress[] | string

const live =
  (journey: string) =>
  (press: string, effect: string): LivePress => ({ journey, press, effect })

const adapters = live('adapters')
const database = live('admin-store')
const facts = live('admin-facts')
const components = live('components')
const features = live('features')
const stores = live('databases')
const backups = live('backups')
const maintenance = live('maintenance')
const exported = live('maintenance-exports')
const monitoring = live('monitoring')
const settings = live('settings')

const CANCEL = 'closes the form; nothing is sent'

/** Every button of the admin screens, as its file and its label in the source. */
export const ADMIN_BUTTONS: Readonly<Record<string, AdminButton>> = {
  'adapters/adapter-config-form.tsx {live.save}': [
    adapters(
      "form.getByRole('button', { name: 'Save' }).click()",
      'config: { has_api_key: true, faults: { clock_skew_ms: 900, dropped: true } }',
    ),
  ],
  'adapters/adapter-config-form.tsx {live.cancel}': CANCEL,
  'adapters/adapter-list.tsx {copy[action]}': 'the baseline: simulated',
  'adapters/adapters-page.tsx {copy[name]}': 'the baseline: simulated',
  'adapters/adapter-table.tsx {copy[action]}': [
    adapters("'Coinbase', 'Toggle').click()", "(await adapterOf(page, 'coinbase')).state).toBe('off')"),
    adapters("'Bybit', 'Test').click()", "(await adapterOf(page, 'bybit')).last_test.steps).toHaveLength(8)"),
    adapters("'Bybit', 'Config').click()", "await adapterOf(page, 'bybit')).toMatchObject("),
  ],
  'adapters/live-adapters.tsx {BULK[action]}': [
    adapters("control('Connect All').click()", "expect(await stateOf()).toBe('connected')"),
    adapters("control('Test All').click()", "(await adapterOf(page, 'okx')).last_test"),
    adapters("control('Disconnect All').click()", "expect(await stateOf()).toBe('disconnected')"),
  ],
  'admin-database/admin-database-page.tsx {copy.refresh}': 'reads the lists again',
  'admin-database/audit-panel.tsx {words.csv}': [
    database("'Export CSV'", "expect(content).toContain('users.add')"),
  ],
  'admin-database/audit-panel.tsx {words.jsonl}': [
    database("'Export JSON lines'", "expect(content).not.toContain('users.deactivate')"),
  ],
  'admin-database/audit-panel.tsx {words.older}': 'reads older records',
  'admin-database/audit-panel.tsx {words.apply}': 'filters the list',
  'admin-database/audit-panel.tsx {words.clear}': 'filters the list',
  'admin-database/audit-panel.tsx {entity} {target}': 'filters the list',
  'admin-database/audit-panel.tsx {words.verify}': [
    database("{ name: 'Verify' }).click()", "toContainText('Intact:')"),
  ],
  'admin-database/configs-panel.tsx {words.add}': 'opens the form',
  'admin-database/configs-panel.tsx {config.is_enabled ? words.disable : words.enable}': [
    database("'Disable Journey feed' }).click()", 'expect.poll(config).toMatchObject({ is_enabled: 0 })'),
    database("'Enable Journey feed' }).click()", 'expect.poll(config).toMatchObject({ is_enabled: 1 })'),
  ],
  'admin-database/configs-panel.tsx {words.delete}': [
    database("'Delete Journey feed' }).click()", 'expect(await config()).toBeUndefined()'),
  ],
  'admin-database/configs-panel.tsx {copy.cancel}': CANCEL,
  'admin-database/configs-panel.tsx {words.create}': [
    database("'Create configuration' }).click()", "expect.poll(config).toMatchObject({ endpoint: '/feed' })"),
  ],
  'admin-database/setting-row.tsx {copy.edit}': 'opens the field',
  'admin-database/setting-row.tsx {copy.save}': [
    database("finish('environment', 'Save')", 'expect.poll(value).toBe(next)'),
  ],
  'admin-database/setting-row.tsx {copy.cancel}': [
    database("finish('environment', 'Cancel')", 'expect(await value()).toBe(before)'),
  ],
  'admin-database/tasks-panel.tsx {words.add}': 'opens the form',
  'admin-database/tasks-panel.tsx {words.run}': [
    database("'Run now Journey probe' }).click()", '(await task()).last_run_at).not.toBeNull()'),
  ],
  'admin-database/tasks-panel.tsx {words.history}': 'opens the list of runs',
  'admin-database/tasks-panel.tsx {is_enabled ? copy.configsTab.disable : copy.configsTab.enable}': [
    database("'Disable Journey probe' }).click()", 'expect.poll(task).toMatchObject({ is_enabled: 0 })'),
    database("'Enable Journey probe' }).click()", 'expect.poll(task).toMatchObject({ is_enabled: 1 })'),
  ],
  'admin-database/tasks-panel.tsx {words.delete}': [
    database("'Delete Journey probe' }).click()", 'expect(await task()).toBeUndefined()'),
  ],
  'admin-database/tasks-panel.tsx {copy.cancel}': CANCEL,
  'admin-database/tasks-panel.tsx {words.create}': [
    database("'Create task' }).click()", 'expect.poll(task).toMatchObject('),
  ],
  'admin-database/users-panel.tsx {words.add}': 'opens the form',
  'admin-database/users-panel.tsx {user.is_active ? words.deactivate : words.activate}': [
    database("'Deactivate grace', exact: true }).click()", "toMatchObject({ role: 'viewer', is_active: 0 })"),
    database(
      "'Activate grace', exact: true }).click()",
      'expect.poll(grace).toMatchObject({ is_active: 1 })',
    ),
  ],
  'admin-database/users-panel.tsx {copy.cancel}': CANCEL,
  'admin-database/users-panel.tsx {words.create}': [
    database("'Create user' }).click()", "toMatchObject({ role: 'viewer', is_active: 0 })"),
  ],
  'api-config/api-config-page.tsx {copy.refresh}': 'reads the services again',
  'api-config/route-form.tsx {submitLabel}': [
    database("submit('Add Route')", "expect.poll(routeOf).toMatchObject({ method: 'PATCH' })"),
    database("submit('Save')", "expect.poll(routeOf).toMatchObject({ description: 'Quotes of the feed' })"),
  ],
  'api-config/route-form.tsx {copy.cancel}': CANCEL,
  'api-config/route-row.tsx {copy.toggle}': [
    database("action('Tradable instruments', 'Toggle').click()", 'expect(await statusOf()).toBe(503)'),
  ],
  'api-config/route-row.tsx {copy.test}': [
    database("or resume', 'Test').click()", "{ action: 'routes.test', after: { sent: true, status: 422 } }"),
  ],
  'api-config/route-row.tsx {copy.tryIt.open}': 'opens the drawer',
  'api-config/route-row.tsx {copy.edit}': 'opens the form',
  'api-config/route-row.tsx {copy.delete}': [
    database("action('Quotes of the feed', 'Delete').click()", 'expect(await routeOf()).toBeUndefined()'),
  ],
  'api-config/service-routes-page.tsx {copy.addRoute}': 'opens the form',
  'api-config/test-all.tsx {words.button}': [
    facts("{ name: 'Test all' }).click()", 'expect(await routes()).toEqual(before)'),
  ],
  'api-config/try-drawer.tsx {words.send}': [
    facts("'Send request' }).click()", 'expect(await routes()).toEqual(before)'),
  ],
  'components/component-details.tsx {copy.revert}': [
    components('/^Revert to version/', "expect.poll(async () => (await find(page, 'DataEngine'))?.config)"),
  ],
  'components/component-flow.tsx <b>{id}</b> <small>{isDown ? component.status : rateOf(throughput)}</small>':
    'selects the component',
  'components/component-list.tsx {copy.actions[action]}': 'the baseline: simulated',
  'components/component-table.tsx {copy.actions[action]}': [
    components("'Cache', 'Stop').click()", "expect.poll(status).toBe('stopped')"),
    components("'Cache', 'Start').click()", "expect.poll(status).toBe('running')"),
    components(
      "'Cache', 'Restart').click()",
      "expect.poll(history).toEqual(['running', 'stopped', 'running'",
    ),
    components("'DataEngine', 'Config').click()", '?.config).toEqual({ stale_after_s: 90 })'),
  ],
  'components/components-page.tsx {copy.bulk[action]}': [
    components("control('Stop All').click()", "expect(await statuses()).toEqual(['stopped'])"),
    components("control('Start All').click()", "expect(await statuses()).toEqual(['running'])"),
    components(
      "control('Restart All').click()",
      "expect.poll(history).toEqual(['running', 'stopped', ...before]",
    ),
  ],
  'components/config-dialog.tsx {copy.save}': [
    components("getByRole('button', { name: 'Save' }).click()", '?.config).toEqual({ stale_after_s: 90 })'),
  ],
  'components/config-dialog.tsx {copy.cancel}': CANCEL,
  'dashboard/dashboard-page.tsx {copy.testNotification}': 'shows a message, as specified',
  'dashboard/dashboard-page.tsx {copy.refresh}': [
    facts("control('Refresh').click()", '.strategies_count).toBe(strategies_count)'),
  ],
  'db-management/backups/backups-page.tsx {copy.create}': [
    backups("control('Create Backup').click()", "expect(row).toContainText('completed')"),
  ],
  'db-management/backups/backups-table.tsx {copy.restore}': [
    backups("control(row, 'Restore').click()", "rows.filter({ hasText: 'BTCUSDT' })).toBeVisible()"),
  ],
  'db-management/connections/add-connection-dialog.tsx {copy.test.open}': [
    stores(
      "dialog.getByRole('button', { name: 'Test' }).click()",
      'expect(await storedNames(screen.page)).not.toContain(name)',
    ),
  ],
  'db-management/connections/add-connection-dialog.tsx {copy.add.cancel}': CANCEL,
  'db-management/connections/add-connection-dialog.tsx {copy.add.submit}': [
    stores(
      "dialog.getByRole('button', { name: 'Add Connection' }).click()",
      'expect(await storedNames(screen.page)).toContain(name)',
    ),
  ],
  'db-management/connections/connection-actions.tsx {copy.test.open}': [
    stores("control('Test').click()", '/^Connected: SQLite .*, \\d+(\\.\\d+)? ms$/'),
  ],
  'db-management/connections/connection-actions.tsx {copy.edit.open}': 'opens the form',
  'db-management/connections/connection-actions.tsx {copy.remove.open}': [
    stores("control('Delete').click()", "expect(await storedNames(page)).not.toContain('Journey past')"),
  ],
  'db-management/connections/connection-fields.tsx {isRevealed ? copy.add.hide : copy.add.reveal}':
    'shows what was typed',
  'db-management/connections/edit-connection-dialog.tsx {copy.add.cancel}': CANCEL,
  'db-management/connections/edit-connection-dialog.tsx {copy.edit.submit}': [
    stores(
      "getByRole('button', { name: 'Save' }).click()",
      "expect(await storedNames(page)).toContain('Journey past')",
    ),
  ],
  'db-management/db-management-page.tsx {copy.refresh}': 'reads the connections again',
  'db-management/db-management-page.tsx {copy.add.open}': 'opens the form',
  'db-management/query/query-page.tsx {copy.execute}': [
    stores('screen.execute(statement)', "expect(screen.result).toContainText('120 rows changed')"),
  ],
  'db-management/query/query-page.tsx {copy.cancel}': [
    live('real-stores')("screen.control('Cancel').click()", "postgres.run(fails('EXISTS', ASLEEP))"),
  ],
  'db-management/query/query-tools.tsx {copy.format}': 'changes the text in the editor',
  'db-management/query/query-tools.tsx {copy.explain}': 'shows the plan',
  'db-management/query/query-tools.tsx {copy.export}': [
    stores("screen.control('Export').click()", "toEqual(['id,symbol', '119,BTC', '117,BTC'])"),
  ],
  'db-management/query/replace-draft-dialog.tsx {copy.replace.action}': 'changes the text in the editor',
  'db-management/query/replace-draft-dialog.tsx {copy.replace.cancel}': CANCEL,
  'db-management/query/saved-queries.tsx {copy.save}': [
    stores("screen.control('Save').click()", "'Journey scratch')).toEqual(['Count of notes'])"),
  ],
  'db-management/query/saved-queries.tsx {title}': 'changes the text in the editor',
  'db-management/query/saved-queries.tsx ×': [
    stores("'Delete Count of notes' }).click()", "'Journey scratch')).toEqual([])"),
  ],
  'db-management/rows/rows-table.tsx {text.slice(0, PREVIEW_MAX_CHARS)}': 'opens the whole value',
  'db-management/tables/pager.tsx {copy.previous}': 'reads another page',
  'db-management/tables/pager.tsx {copy.next}': 'reads another page',
  'db-management/tables/row-filter-form.tsx {copy.apply}': 'reads the rows by a filter',
  'db-management/tables/table-tools.tsx {copy.export}': [
    stores("screen.control('Export').click()", "toEqual(['id,symbol', '120,ETH', '118,ETH'])"),
  ],
  'features/features-page.tsx {copy.flags.enableAll}': [
    features("control('Enable All').click()", ").toContain('live-trading')"),
  ],
  'features/features-page.tsx {copy.flags.disableAll}': [
    features("control('Disable All').click()", 'expect((await stateOf(page)).on).toEqual([])'),
  ],
  'features/flag-list.tsx {flag.enabled ? copy.flags.disable : copy.flags.enable}': [
    features("'Multi-Exchange', 'Disable').click()", ").not.toContain('multi-exchange')"),
    features("'Multi-Exchange', 'Enable').click()", ").toContain('multi-exchange')"),
  ],
  'features/service-list.tsx {copy.services.actions[action]}': [
    features("'Risk Service', 'Start').click()", "expect.poll(status).toBe('running')"),
    features("for (const action of ['Restart', 'Stop'])", 'expect.poll(status).toBe(expected)'),
    features("'Risk Service', 'Config').click()", "toContainText('This service has no settings.')"),
  ],
  'maintenance/export-drawer.tsx {words.start}': [
    exported("{ name: 'Export', exact: true }).click()", "kind: 'maintenance.export.data', state: 'done'"),
  ],
  'maintenance/export-drawer.tsx {words.download}': [
    exported('{ name: `Download ', 'suggestedFilename()).toBe(name)'),
  ],
  'maintenance/logs-drawer.tsx <strong>{job.title}</strong> <Badge tone={TONES[job.state]}>{job.state}</Badge> <span className={classes.dim}>{formatInstant(job.ended_at ?? job.created_at)}</span>':
    'opens the lines of a job',
  'maintenance/maintenance-page.tsx {label}': [
    maintenance(
      "'PostgreSQL', 'Backup Database').click()",
      "(await stored('postgresql'))?.last_backup).not.toBeNull()",
    ),
    maintenance("'PostgreSQL', 'Optimize Tables').click()", 'expect(before).not.toBeNull()'),
    maintenance("'Parquet', 'Export Catalog').click()", 'expect(await exportedAt()).not.toBe(earlier)'),
    maintenance("'Parquet', 'Clean Old Files').click()", 'expect.poll(() => existsSync(old)).toBe(false)'),
    maintenance("'Redis', 'Flush Cache').click()", 'expect(stats.keys).toBe(1)'),
    maintenance("'Redis', 'View Stats').click()", '/^Redis \\S+: 3 keys, /'),
    maintenance(
      "'Maintenance', 'Full Backup').click()",
      "(await stored('redis'))?.last_backup).not.toBeNull()",
    ),
    maintenance("'Maintenance', 'Optimize All').click()", 'expect.poll(optimizedAt, WORK).not.toBe(before)'),
    exported("'Maintenance', 'Export Data').click()", "kind: 'maintenance.export.data', state: 'done'"),
    exported("'Maintenance', 'View Logs').click()", '/Binnacle admin: \\d+ tables\\./'),
  ],
  'maintenance/store-backups.tsx {copy.restore}': [
    maintenance('/^Restore backup/', 'ASSERT (SELECT count(*) FROM fills) = 1000'),
  ],
  'monitoring/alerts-view.tsx {copy.alerts.open}': 'opens the Alerts screen',
  'monitoring/live-monitoring.tsx {copy.views[name]}': 'opens a view',
  'monitoring/logs-view.tsx {words.download}': [
    monitoring("{ name: 'Download', exact: true }).click()", "toContain('server.started')"),
  ],
  'monitoring/logs-view.tsx {request_id.slice(0, 8)}': [
    monitoring('{ name: id.slice(0, 8) }).click()', '/local settings\\.update environment/'),
  ],
  'monitoring/monitoring-page.tsx {label}': 'the baseline: simulated',
  'monitoring/reports-view.tsx {label}': [
    monitoring("'Download HTML'", 'suggestedFilename()).toMatch(file)'),
    monitoring("'Download CSV'", 'suggestedFilename()).toMatch(file)'),
    monitoring("'Download bundle'", 'suggestedFilename()).toMatch(file)'),
  ],
  'settings/channel-settings.tsx {live.sendTest}': [
    settings('test.click()', 'expect(receiver.texts).toContain('),
  ],
  'settings/global-actions.tsx {copy.export}': [
    settings("control('Export').click()", "suggestedFilename()).toBe('binnacle-settings.json')"),
  ],
  'settings/global-actions.tsx {copy.import}': [
    settings("control('Import').click()", "toMatchObject({ cache_ttl: '60', session_timeout: '45' })"),
  ],
  'settings/global-actions.tsx {copy.saveAll}': [
    settings("control('Save All').click()", "toMatchObject({ session_timeout: '45', cache_ttl: '60' })"),
  ],
  'settings/global-actions.tsx {copy.resetAll}': [
    settings(
      "control('Reset All').click()",
      "toMatchObject({ system_name: 'Binnacle', session_timeout: '30' })",
    ),
  ],
  'settings/import-settings.tsx {live.apply}': [
    settings("{ name: 'Apply' }).click()", "toMatchObject({ cache_ttl: '60', session_timeout: '45' })"),
  ],
  'settings/import-settings.tsx {live.cancel}': CANCEL,
  'settings/section-card.tsx {copy.save}': [
    settings("action('General', 'Save').click()", "environment: 'Staging',"),
  ],
  'settings/section-card.tsx {copy.reset}': [
    settings(
      "action('Performance', 'Reset').click()",
      "toMatchObject({ system_name: 'Desk 7', cache_ttl: '3600' })",
    ),
  ],
  'settings/settings-versions.tsx {live.revertAction}': [
    settings('`Revert to version ', "toMatchObject({ cache_ttl: '3600', session_timeout: '45' })"),
  ],
  'ui/control/typed-name-form.tsx {words.action}': [
    backups(
      "question.getByRole('button', { name: 'Restore' }).click()",
      "rows.filter({ hasText: 'BTCUSDT' })",
    ),
    stores('yes(question).click()', 'expect(screen.history).toHaveCount(2)'),
  ],
  'ui/control/typed-name-form.tsx {words.dismiss}': CANCEL,
  'ui/alert/inbox-panel.tsx {words.acknowledge}': [
    monitoring(
      "'Acknowledge Test alert' }).first().click()",
      "expect.poll(states).toContain('acknowledged')",
    ),
  ],
  'ui/alert/inbox-panel.tsx {words.snooze}': [
    monitoring("'Snooze 1 h Test alert' }).first().click()", 'until.some((at: number) => at > Date.now())'),
  ],
  'ui/alert/inbox-panel.tsx {words.resolve}': [
    monitoring("'Resolve Test alert' }).first().click()", 'expect.poll(left).toBe(before - 1)'),
  ],
}

const baseline = (journey: string, ...presses: string[]): BaselinePress[] =>
  presses.map((press) => ({ journey, press }))

const CAPABILITY = 'only for a backend that answers capabilities'
const ABILITIES = 'only for a connection that names its abilities'

/**
 * The same buttons over a backend without capabilities, where each is simulated or sends its specified call. What such
 * a backend does not show has its reason.
 */
export const BASELINE_BUTTONS: Readonly<Record<string, readonly BaselinePress[] | string>> = {
  'adapters/adapter-config-form.tsx {live.save}': CAPABILITY,
  'adapters/adapter-config-form.tsx {live.cancel}': CAPABILITY,
  'adapters/adapter-list.tsx {copy[action]}': baseline(
    'adapters',
    "adapters.action('Coinbase', 'Toggle')",
    "adapters.action('Binance', 'Test')",
    "adapters.action('Coinbase', 'Config')",
  ),
  'adapters/adapters-page.tsx {copy[name]}': baseline(
    'adapters',
    "for (const name of ['Connect All', 'Disconnect All']) {",
    "adapters.control('Test All')",
  ),
  'adapters/adapter-table.tsx {copy[action]}': CAPABILITY,
  'adapters/live-adapters.tsx {BULK[action]}': CAPABILITY,
  'admin-database/admin-database-page.tsx {copy.refresh}': baseline(
    'admin-database',
    "control('Refresh').click()",
  ),
  'admin-database/audit-panel.tsx {words.csv}': CAPABILITY,
  'admin-database/audit-panel.tsx {words.jsonl}': CAPABILITY,
  'admin-database/audit-panel.tsx {words.older}': CAPABILITY,
  'admin-database/audit-panel.tsx {words.apply}': CAPABILITY,
  'admin-database/audit-panel.tsx {words.clear}': CAPABILITY,
  'admin-database/audit-panel.tsx {entity} {target}': CAPABILITY,
  'admin-database/audit-panel.tsx {words.verify}': CAPABILITY,
  'admin-database/configs-panel.tsx {words.add}': CAPABILITY,
  'admin-database/configs-panel.tsx {config.is_enabled ? words.disable : words.enable}': CAPABILITY,
  'admin-database/configs-panel.tsx {words.delete}': CAPABILITY,
  'admin-database/configs-panel.tsx {copy.cancel}': CAPABILITY,
  'admin-database/configs-panel.tsx {words.create}': CAPABILITY,
  'admin-database/setting-row.tsx {copy.edit}': baseline('admin-database', "edit('time zone', 'CET')"),
  'admin-database/setting-row.tsx {copy.save}': baseline('admin-database', "finish('time zone', 'Save')"),
  'admin-database/setting-row.tsx {copy.cancel}': baseline('admin-database', "finish('time zone', 'Cancel')"),
  'admin-database/tasks-panel.tsx {words.add}': CAPABILITY,
  'admin-database/tasks-panel.tsx {words.run}': CAPABILITY,
  'admin-database/tasks-panel.tsx {words.history}': CAPABILITY,
  'admin-database/tasks-panel.tsx {is_enabled ? copy.configsTab.disable : copy.configsTab.enable}':
    CAPABILITY,
  'admin-database/tasks-panel.tsx {words.delete}': CAPABILITY,
  'admin-database/tasks-panel.tsx {copy.cancel}': CAPABILITY,
  'admin-database/tasks-panel.tsx {words.create}': CAPABILITY,
  'admin-database/users-panel.tsx {words.add}': CAPABILITY,
  'admin-database/users-panel.tsx {user.is_active ? words.deactivate : words.activate}': CAPABILITY,
  'admin-database/users-panel.tsx {copy.cancel}': CAPABILITY,
  'admin-database/users-panel.tsx {words.create}': CAPABILITY,
  'api-config/api-config-page.tsx {copy.refresh}': baseline(
    'api-configuration',
    "control('Refresh').click()",
  ),
  'api-config/route-form.tsx {submitLabel}': baseline(
    'api-configuration',
    "submit('Add Route')",
    "submit('Save')",
  ),
  'api-config/route-form.tsx {copy.cancel}': baseline(
    'api-configuration',
    "form.getByRole('button', { name: 'Cancel' }).click()",
  ),
  'api-config/route-row.tsx {copy.toggle}': baseline(
    'api-configuration',
    "action('List the orders', 'Toggle').click()",
  ),
  'api-config/route-row.tsx {copy.test}': baseline(
    'api-configuration',
    "action('List the orders', 'Test').click()",
  ),
  'api-config/route-row.tsx {copy.tryIt.open}': CAPABILITY,
  'api-config/route-row.tsx {copy.edit}': baseline(
    'api-configuration',
    "action('Place an order', 'Edit').click()",
  ),
  'api-config/route-row.tsx {copy.delete}': baseline(
    'api-configuration',
    "action('Cancel an order', 'Delete').click()",
  ),
  'api-config/service-routes-page.tsx {copy.addRoute}': baseline(
    'api-configuration',
    "control('Add Route').click()",
  ),
  'api-config/test-all.tsx {words.button}': CAPABILITY,
  'api-config/try-drawer.tsx {words.send}': CAPABILITY,
  'components/component-details.tsx {copy.revert}': CAPABILITY,
  'components/component-flow.tsx <b>{id}</b> <small>{isDown ? component.status : rateOf(throughput)}</small>':
    CAPABILITY,
  'components/component-list.tsx {copy.actions[action]}': baseline(
    'components',
    "for (const action of ['Stop', 'Restart', 'Config'])",
  ),
  'components/component-table.tsx {copy.actions[action]}': CAPABILITY,
  'components/components-page.tsx {copy.bulk[action]}': baseline(
    'components',
    "for (const action of ['Start All', 'Stop All', 'Restart All'])",
  ),
  'components/config-dialog.tsx {copy.save}': CAPABILITY,
  'components/config-dialog.tsx {copy.cancel}': CAPABILITY,
  'dashboard/dashboard-page.tsx {copy.testNotification}': baseline(
    'admin-dashboard',
    "control('Test Notification').click()",
  ),
  'dashboard/dashboard-page.tsx {copy.refresh}': baseline('admin-dashboard', "control('Refresh').click()"),
  'db-management/backups/backups-page.tsx {copy.create}': baseline(
    'database-query',
    "control('Create Backup').click()",
  ),
  'db-management/backups/backups-table.tsx {copy.restore}': baseline(
    'database-query',
    "restore('/backups/ledger-1.db').click()",
  ),
  'db-management/connections/add-connection-dialog.tsx {copy.test.open}': CAPABILITY,
  'db-management/connections/add-connection-dialog.tsx {copy.add.cancel}': baseline(
    'database-tables',
    "addDialog.getByRole('button', { name: 'Cancel' }).click()",
  ),
  'db-management/connections/add-connection-dialog.tsx {copy.add.submit}': baseline(
    'database-tables',
    "addDialog.getByRole('button', { name: 'Add Connection' }).click()",
  ),
  'db-management/connections/connection-actions.tsx {copy.test.open}': ABILITIES,
  'db-management/connections/connection-actions.tsx {copy.edit.open}': ABILITIES,
  'db-management/connections/connection-actions.tsx {copy.remove.open}': ABILITIES,
  'db-management/connections/connection-fields.tsx {isRevealed ? copy.add.hide : copy.add.reveal}': baseline(
    'database-tables',
    "addDialog.getByRole('button', { name: 'Reveal' }).click()",
  ),
  'db-management/connections/edit-connection-dialog.tsx {copy.add.cancel}': ABILITIES,
  'db-management/connections/edit-connection-dialog.tsx {copy.edit.submit}': ABILITIES,
  'db-management/db-management-page.tsx {copy.refresh}': baseline(
    'database-tables',
    "control('Refresh').click()",
  ),
  'db-management/db-management-page.tsx {copy.add.open}': baseline(
    'database-tables',
    "control('Add Connection').click()",
  ),
  'db-management/query/query-page.tsx {copy.execute}': baseline(
    'database-query',
    "control('Execute').click()",
  ),
  'db-management/query/query-page.tsx {copy.cancel}': ABILITIES,
  'db-management/query/query-tools.tsx {copy.format}': ABILITIES,
  'db-management/query/query-tools.tsx {copy.explain}': ABILITIES,
  'db-management/query/query-tools.tsx {copy.export}': ABILITIES,
  'db-management/query/replace-draft-dialog.tsx {copy.replace.action}': ABILITIES,
  'db-management/query/replace-draft-dialog.tsx {copy.replace.cancel}': ABILITIES,
  'db-management/query/saved-queries.tsx {copy.save}': ABILITIES,
  'db-management/query/saved-queries.tsx {title}': ABILITIES,
  'db-management/query/saved-queries.tsx ×': ABILITIES,
  'db-management/rows/rows-table.tsx {text.slice(0, PREVIEW_MAX_CHARS)}': baseline(
    'database-query',
    "name: 'x'.repeat(120), exact: true }).click()",
  ),
  'db-management/tables/pager.tsx {copy.previous}': baseline('database-tables', "control('Prev').click()"),
  'db-management/tables/pager.tsx {copy.next}': baseline('database-tables', "control('Next').click()"),
  'db-management/tables/row-filter-form.tsx {copy.apply}': ABILITIES,
  'db-management/tables/table-tools.tsx {copy.export}': ABILITIES,
  'features/features-page.tsx {copy.flags.enableAll}': baseline('features', "['Enable All', 'Disable All']"),
  'features/features-page.tsx {copy.flags.disableAll}': baseline('features', "['Enable All', 'Disable All']"),
  'features/flag-list.tsx {flag.enabled ? copy.flags.disable : copy.flags.enable}': baseline(
    'features',
    "['Live Trading', 'Disable']",
    "['Paper Trading', 'Enable']",
  ),
  'features/service-list.tsx {copy.services.actions[action]}': baseline(
    'features',
    "for (const action of ['Start', 'Stop', 'Restart', 'Config'])",
  ),
  'maintenance/export-drawer.tsx {words.start}': CAPABILITY,
  'maintenance/export-drawer.tsx {words.download}': CAPABILITY,
  'maintenance/logs-drawer.tsx <strong>{job.title}</strong> <Badge tone={TONES[job.state]}>{job.state}</Badge> <span className={classes.dim}>{formatInstant(job.ended_at ?? job.created_at)}</span>':
    CAPABILITY,
  'maintenance/maintenance-page.tsx {label}': baseline(
    'maintenance',
    "'Backup Database'",
    "'Optimize Tables'",
    "'Export Catalog'",
    "'Clean Old Files'",
    "'Flush Cache'",
    "'View Stats'",
    "'Full Backup'",
    "'Optimize All'",
    "'Export Data'",
    "'View Logs'",
  ),
  'maintenance/store-backups.tsx {copy.restore}': CAPABILITY,
  'monitoring/alerts-view.tsx {copy.alerts.open}': CAPABILITY,
  'monitoring/live-monitoring.tsx {copy.views[name]}': CAPABILITY,
  'monitoring/logs-view.tsx {words.download}': CAPABILITY,
  'monitoring/logs-view.tsx {request_id.slice(0, 8)}': CAPABILITY,
  'monitoring/monitoring-page.tsx {label}': baseline(
    'monitoring',
    'for (const name of [/metrics/i, /logs/i, /alerts/i, /reports/i])',
  ),
  'monitoring/reports-view.tsx {label}': CAPABILITY,
  'settings/channel-settings.tsx {live.sendTest}': CAPABILITY,
  'settings/global-actions.tsx {copy.export}': baseline(
    'settings',
    "['Export', 'Import', 'Save All', 'Reset All']",
  ),
  'settings/global-actions.tsx {copy.import}': baseline(
    'settings',
    "['Export', 'Import', 'Save All', 'Reset All']",
  ),
  'settings/global-actions.tsx {copy.saveAll}': baseline(
    'settings',
    "['Export', 'Import', 'Save All', 'Reset All']",
  ),
  'settings/global-actions.tsx {copy.resetAll}': baseline(
    'settings',
    "['Export', 'Import', 'Save All', 'Reset All']",
  ),
  'settings/import-settings.tsx {live.apply}': CAPABILITY,
  'settings/import-settings.tsx {live.cancel}': CAPABILITY,
  'settings/section-card.tsx {copy.save}': baseline(
    'settings',
    "for (const name of ['Save', 'Reset'] as const)",
  ),
  'settings/section-card.tsx {copy.reset}': baseline(
    'settings',
    "for (const name of ['Save', 'Reset'] as const)",
  ),
  'settings/settings-versions.tsx {live.revertAction}': CAPABILITY,
  'ui/control/typed-name-form.tsx {words.action}': ABILITIES,
  'ui/control/typed-name-form.tsx {words.dismiss}': ABILITIES,
  'ui/alert/inbox-panel.tsx {words.acknowledge}': CAPABILITY,
  'ui/alert/inbox-panel.tsx {words.snooze}': CAPABILITY,
  'ui/alert/inbox-panel.tsx {words.resolve}': CAPABILITY,
}
