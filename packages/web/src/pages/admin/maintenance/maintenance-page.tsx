import { useMaintenance } from '#data/maintenance.ts'
import { paths } from '#paths.ts'
import { notify, notifyFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Row } from '#ui/frame/grid.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { copy } from './copy.ts'
import classes from './maintenance-page.module.css'
import { type PanelAction, panels } from './panels.ts'

export function MaintenancePage() {
  const maintenance = useMaintenance({
    onDone: (message, task) => notify('success', message || copy.done(task)),
    onFailure: (error, task) => notifyFailure(copy.failed(task))(error),
  })
  const buttonFor = (action: PanelAction) =>
    'task' in action ? (
      <Button
        key={action.label}
        busy={maintenance.isUnderWay(action.task)}
        onClick={() => maintenance.start(action.task)}
      >
        {action.label}
      </Button>
    ) : (
      <Button key={action.label} onClick={() => notify('info', action.message)}>
        {action.label}
      </Button>
    )
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
    </Screen>
  )
}
