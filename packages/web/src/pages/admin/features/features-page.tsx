import { useQuery } from '@tanstack/react-query'
import { logOnly, problemText } from '#data/failure.ts'
import { paths } from '#paths.ts'
import { actionMessages } from '#ports/action-messages.ts'
import type {
  FeatureControls,
  FeatureFlag,
  ServiceAction,
  ServiceControls,
  ServiceEntry,
} from '#ports/controls.ts'
import { usePortCommand } from '#ports/port-command.ts'
import { portQueries } from '#ports/port-queries.ts'
import { isPort, usePort } from '#ports/ports-context.ts'
import { announce } from '#state/announcement.ts'
import { Button } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { NoControls } from '#ui/ports/no-controls.tsx'
import { PortControls } from '#ui/ports/port-controls.tsx'
import { PortMark } from '#ui/ports/port-mark.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { copy } from './copy.ts'
import classes from './features-page.module.css'
import { FlagList } from './flag-list.tsx'
import { ServiceList } from './service-list.tsx'

const back = { to: paths.admin, label: copy.back }

/** Flags and services are separate ports: a backend may offer only one of them live. */
export function FeaturesPage() {
  const flags = usePort('features')
  const services = usePort('services')
  const isMarkedOnce = flags.kind === services.kind
  if (!isPort(flags) && !isPort(services) && isMarkedOnce) {
    return (
      <Screen title={copy.title} back={back}>
        <NoControls things={copy.things} why={flags.kind} />
      </Screen>
    )
  }
  return (
    <Screen
      title={copy.title}
      aside={isMarkedOnce && isPort(flags) && <PortMark kind={flags.kind} />}
      back={back}
    >
      <div className={classes.parts}>
        {isPort(flags) ? (
          <PortControls kind={flags.kind}>
            <Flags port={flags} isMarked={!isMarkedOnce} />
          </PortControls>
        ) : (
          <NoControls things={copy.flags.things} why={flags.kind} />
        )}
        {isPort(services) ? (
          <PortControls kind={services.kind}>
            <Services port={services} isMarked={!isMarkedOnce} />
          </PortControls>
        ) : (
          <NoControls things={copy.services.things} why={services.kind} />
        )}
      </div>
    </Screen>
  )
}

interface PartProps<Port> {
  port: Port
  /** Shows the badge on this part, because the other part is of another kind. */
  isMarked: boolean
}

function Flags({ port, isMarked }: PartProps<FeatureControls>) {
  const flags = useQuery(portQueries.features(port, { onFailure: logOnly }))
  const command = usePortCommand('features')
  const set = ({ id, name }: FeatureFlag, enabled: boolean) =>
    command.run({
      control: `set ${id}`,
      run: () => port.setEnabled(id, enabled),
      ...announce(actionMessages(port.kind, enabled ? 'enable' : 'disable', name)),
    })
  const setAll = (enabled: boolean) =>
    command.run({
      control: `all ${enabled}`,
      run: () => port.setAllEnabled(enabled),
      ...announce(actionMessages(port.kind, enabled ? 'enable' : 'disable', copy.flags.all)),
    })
  const bulk = (
    <>
      <Button busy={command.pendingSubjects.has('all true')} onClick={() => setAll(true)}>
        {copy.flags.enableAll}
      </Button>
      <Button busy={command.pendingSubjects.has('all false')} onClick={() => setAll(false)}>
        {copy.flags.disableAll}
      </Button>
    </>
  )
  return (
    <Card title={<PartTitle port={port} isMarked={isMarked} title={copy.flags.title} />} actions={bulk}>
      <Loaded
        load={flags}
        loading={copy.flags.loading}
        failed={copy.flags.failed}
        reason={problemText(flags.error)}
      >
        {(list) => (
          <FlagList flags={list} isBusy={({ id }) => command.pendingSubjects.has(`set ${id}`)} onSet={set} />
        )}
      </Loaded>
    </Card>
  )
}

function Services({ port, isMarked }: PartProps<ServiceControls>) {
  const services = useQuery(portQueries.services(port, { onFailure: logOnly }))
  const command = usePortCommand('services')
  const act = (action: ServiceAction, { id, name }: ServiceEntry) =>
    command.run({
      control: `${action} ${id}`,
      run: () => port.act(action, id),
      ...announce(actionMessages(port.kind, action, name)),
    })
  return (
    <Card title={<PartTitle port={port} isMarked={isMarked} title={copy.services.title} />}>
      <Loaded
        load={services}
        loading={copy.services.loading}
        failed={copy.services.failed}
        reason={problemText(services.error)}
      >
        {(list) => (
          <ServiceList
            services={list}
            isBusy={(action, { id }) => command.pendingSubjects.has(`${action} ${id}`)}
            onAct={act}
          />
        )}
      </Loaded>
    </Card>
  )
}

interface PartTitleProps extends PartProps<FeatureControls | ServiceControls> {
  title: string
}

function PartTitle({ port, isMarked, title }: PartTitleProps) {
  return (
    <>
      {title}
      {isMarked && <PortMark kind={port.kind} />}
    </>
  )
}
