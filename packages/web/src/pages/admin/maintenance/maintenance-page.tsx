import type { Backup, StoreStatus as StoreStatusData } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { offers } from '#data/capabilities.ts'
import { backupQueries, useRestoreBackup } from '#data/databases/backups.ts'
import { logOnly } from '#data/failure.ts'
import type { FirstLoads } from '#data/first-loads.ts'
import { isActive, useJobsOf } from '#data/jobs.ts'
import {
  type MaintenanceTask,
  storeStatusQuery,
  taskName,
  useCleanPreview,
  useHasMaintenance,
  useMaintenance,
  useRedisStats,
  useStoreStatus,
} from '#data/maintenance.ts'
import { useStoreCheck } from '#data/store-check.ts'
import { formatInstant } from '#format/time.ts'
import { paths } from '#paths.ts'
import { notify, notifyFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Row } from '#ui/frame/grid.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { ProgressLine } from '#ui/state/progress-line.tsx'
import { copy } from './copy.ts'
import { ExportDrawer } from './export-drawer.tsx'
import { LogsDrawer } from './logs-drawer.tsx'
import classes from './maintenance-page.module.css'
import { type PanelAction, panels } from './panels.ts'
import { StoreBackups } from './store-backups.tsx'
import { StoreCheck } from './store-check.tsx'
import { StoreStatus } from './store-status.tsx'

/** The job that the server runs for a task. */
function kindOf({ action, store }: MaintenanceTask): string {
  return `maintenance.${action}.${store}`
}

const KINDS = panels.flatMap(({ actions }) =>
  actions.flatMap((action) => ('task' in action ? kindOf(action.task) : [])),
)

/** SHELL-111 */
export const firstLoads: FirstLoads = (load, backend) => {
  if (offers(backend, 'maintenance')) load(storeStatusQuery)
}

export function MaintenancePage() {
  const isMaintained = useHasMaintenance()
  const confirm = useConfirm()
  const maintenance = useMaintenance({
    onDone: (message, task) => notify('success', message || copy.done(task)),
    onFailure: (error, task, context) =>
      notifyFailure(copy.failed(task), copy.unknown(task))(error, task, context),
  })
  const preview = useCleanPreview({
    onDone: (message, task) =>
      confirm.ask({
        question: copy.confirmClean,
        detail: message || copy.noPreview,
        action: copy.clean,
        onConfirm: () => maintenance.run(task),
      }),
    onFailure: (error, task, context) =>
      notifyFailure(copy.failed(task), copy.readUnknown)(error, task, context),
  })
  const stats = useRedisStats({
    onDone: (figures) => notify('info', copy.figures(figures)),
    onFailure: notifyFailure(copy.figuresFailed, copy.readUnknown),
  })
  const [opened, setOpened] = useState<'logs' | 'export'>()
  const running = useJobsOf(KINDS, maintenance.pendingSubjects.size > 0).filter(isActive)
  const jobsOf = (actions: readonly PanelAction[]) =>
    running.filter(({ kind }) => actions.some((action) => 'task' in action && kindOf(action.task) === kind))
  const stores = useStoreStatus()
  const check = useStoreCheck()
  const postgres = stores.find(({ kind }) => kind === 'postgresql')
  const { data: backups = [] } = useQuery({
    ...backupQueries.list(postgres?.connection_id ?? '', { onFailure: logOnly }),
    enabled: postgres !== undefined,
  })
  const restore = useRestoreBackup({
    onFailure: notifyFailure(copy.restoreFailed, copy.restoreUnknown),
    onDone: () => notify('success', copy.restored),
  })
  const askRestore = (
    { connection_id, target }: StoreStatusData,
    { id, created_at, confirm_target }: Backup,
  ) =>
    confirm.ask({
      question: copy.confirmRestore,
      detail: copy.restoreDetail(confirm_target ?? target, formatInstant(created_at)),
      action: copy.restore,
      onConfirm: () =>
        restore.run({
          connectionId: connection_id,
          backupId: id,
          ...(confirm_target !== undefined && { confirmTarget: confirm_target }),
        }),
    })
  const startLive = (task: MaintenanceTask) => {
    if (task.action === 'clean') preview.run(task)
    else if (task.action === 'backup') maintenance.run(task)
    else
      confirm.ask({
        question: copy.confirmOptimize(task),
        detail: copy.optimizeDetail,
        action: copy.optimize,
        onConfirm: () => maintenance.run(task),
      })
  }
  const buttonFor = (action: PanelAction) => {
    if ('task' in action) {
      const { label, task } = action
      const start = isMaintained ? startLive : maintenance.run
      const isBusy =
        maintenance.pendingSubjects.has(taskName(task)) || preview.pendingSubjects.has(taskName(task))
      return (
        <Button key={label} busy={isBusy} onClick={() => start(task)}>
          {label}
        </Button>
      )
    }
    const { label, message, live } = action
    const open = () => {
      if (!isMaintained || live === undefined) notify('info', message)
      else if (live === 'redis') stats.run()
      else setOpened(live)
    }
    const isBusy = live === 'redis' && stats.isPending
    return (
      <Button key={label} busy={isBusy} onClick={open}>
        {label}
      </Button>
    )
  }
  return (
    <Screen title={copy.title} back={{ to: paths.admin, label: copy.back }}>
      <div className={classes.panels}>
        {panels.map(({ title, text, actions, store }) => (
          <Card key={title} title={title}>
            <p className={classes.text}>{text}</p>
            {stores
              .filter(({ kind }) => kind === store)
              .map((status) => (
                <StoreStatus key={status.kind} status={status} />
              ))}
            {/* MAINT-57: the server names the stores that it has; one of them always. */}
            {store !== undefined && stores.length > 0 && stores.every(({ kind }) => kind !== store) && (
              <p className={classes.text}>{copy.notConfigured[store]}</p>
            )}
            {store === undefined && check !== undefined && <StoreCheck check={check} />}
            <Row>{actions.map(buttonFor)}</Row>
            {store === 'postgresql' && postgres !== undefined && (
              <StoreBackups
                backups={backups}
                isRestoring={restore.pendingSubjects.size > 0}
                onRestore={(backup) => askRestore(postgres, backup)}
              />
            )}
            {jobsOf(actions).map(({ id, title, progress, message }) => (
              <ProgressLine key={id} title={title} progress={progress} message={message} />
            ))}
          </Card>
        ))}
      </div>
      {confirm.dialog}
      {opened === 'export' && <ExportDrawer onClose={() => setOpened(undefined)} />}
      {opened === 'logs' && <LogsDrawer onClose={() => setOpened(undefined)} />}
    </Screen>
  )
}
