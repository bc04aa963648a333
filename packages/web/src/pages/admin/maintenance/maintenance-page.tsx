import {
  type MaintenanceTask,
  useCleanPreview,
  useIsMaintained,
  useMaintenance,
  useRedisStats,
} from '#data/maintenance.ts'
import { paths } from '#paths.ts'
import { notify, notifyFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Row } from '#ui/frame/grid.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { copy } from './copy.ts'
import classes from './maintenance-page.module.css'
import { type PanelAction, panels } from './panels.ts'

export function MaintenancePage() {
  const isMaintained = useIsMaintained()
  const confirm = useConfirm()
  const onFailure = (error: unknown, task: MaintenanceTask) => notifyFailure(copy.failed(task))(error)
  const maintenance = useMaintenance({
    onDone: (message, task) => notify('success', message || copy.done(task)),
    onFailure,
  })
  const preview = useCleanPreview({
    onDone: (message, task) => confirm.ask(copy.goOn, () => maintenance.start(task), message || copy.nothing),
    onFailure,
  })
  const stats = useRedisStats({
    onDone: (figures) => notify('info', copy.figures(figures)),
    onFailure: notifyFailure(copy.figuresFailed),
  })
  const buttonFor = (action: PanelAction) => {
    if ('task' in action) {
      const { label, task } = action
      const start = isMaintained && task.upkeep === 'clean' ? preview.start : maintenance.start
      const isBusy = maintenance.isUnderWay(task) || preview.isUnderWay(task)
      return (
        <Button key={label} busy={isBusy} onClick={() => start(task)}>
          {label}
        </Button>
      )
    }
    const { label, message, figures } = action
    const isLive = isMaintained && figures === 'redis'
    return (
      <Button
        key={label}
        busy={isLive && stats.isUnderWay}
        onClick={() => (isLive ? stats.show() : notify('info', message))}
      >
        {label}
      </Button>
    )
  }
  return (
    <Screen title={copy.title} back={{ to: paths.admin, label: copy.back }}>
      <div className={classes.panels}>
        {panels.map(({ title, text, actions }) => (
          <Card key={title} title={title}>
            <p className={classes.text}>{text}</p>
            <Row>{actions.map(buttonFor)}</Row>
          </Card>
        ))}
      </div>
      {confirm.dialog}
    </Screen>
  )
}
