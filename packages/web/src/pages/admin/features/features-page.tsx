import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { logOnly, problemText } from '#data/failure.ts'
import { paths } from '#paths.ts'
import { actionMessages } from '#ports/action-messages.ts'
import type {
  FeatureControls,
  FeatureFlag,
  FlagOutcome,
  ServiceAction,
  ServiceControls,
  ServiceEntry,
} from '#ports/controls.ts'
import { FEATURE_EFFECTS, SERVICE_EFFECTS } from '#ports/feature-effects.ts'
import { usePortCommand } from '#ports/port-command.ts'
import { portQueries } from '#ports/port-queries.ts'
import { isPort, usePort } from '#ports/use-port.ts'
import { createActionToasts } from '#state/action-toasts.ts'
import { notify } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { Dialog } from '#ui/control/dialog.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { NoControls } from '#ui/ports/no-controls.tsx'
import { PortBadge } from '#ui/ports/port-badge.tsx'
import { PortControls } from '#ui/ports/port-controls.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { copy } from './copy.ts'
import classes from './features-page.module.css'
import { FlagList } from './flag-list.tsx'
import { FlagReport } from './flag-report.tsx'
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
      aside={isMarkedOnce && isPort(flags) && <PortBadge kind={flags.kind} />}
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
  const confirm = useConfirm()
  const [report, setReport] = useState<readonly FlagOutcome[]>()
  const isLive = port.kind === 'live'
  const set = ({ id, name }: FeatureFlag, enabled: boolean) => {
    setReport(undefined)
    command.run({
      control: `set ${id}`,
      run: () => port.setEnabled(id, enabled),
      ...createActionToasts(actionMessages(port.kind, enabled ? 'enable' : 'disable', name)),
    })
  }
  const setAll = (enabled: boolean) => {
    setReport(undefined)
    const messages = createActionToasts(
      actionMessages(port.kind, enabled ? 'enable' : 'disable', copy.flags.all),
    )
    let refused = 0
    command.run({
      control: `all ${enabled}`,
      run: async () => {
        const outcomes = await port.setAllEnabled(enabled)
        refused = outcomes.filter((outcome) => outcome.refused !== undefined).length
        if (outcomes.length > 0) setReport(outcomes)
      },
      ...messages,
      onDone: () => (refused > 0 ? notify('warning', copy.flags.someRefused(refused)) : messages.onDone()),
    })
  }
  /** FEAT-10: a live flag is switched only after its effect was stated. */
  const askFirst = (enabled: boolean, name: string, detail: ReactNode, onConfirm: () => void) => {
    if (!isLive) return onConfirm()
    const action = enabled ? copy.flags.enable : copy.flags.disable
    confirm.ask({ question: copy.flags.confirm(enabled, name), detail, action, onConfirm })
  }
  const askSet = (flag: FeatureFlag, enabled: boolean) =>
    askFirst(enabled, flag.name, <FlagEffect flag={flag} isEnabling={enabled} />, () => set(flag, enabled))
  const askSetAll = (enabled: boolean) =>
    askFirst(enabled, copy.flags.all, copy.flags.allEffect[enabled ? 'enable' : 'disable'], () =>
      setAll(enabled),
    )
  const bulk = (
    <>
      <Button busy={command.pendingSubjects.has('all true')} onClick={() => askSetAll(true)}>
        {copy.flags.enableAll}
      </Button>
      <Button busy={command.pendingSubjects.has('all false')} onClick={() => askSetAll(false)}>
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
          <FlagList
            flags={list}
            isLive={isLive}
            isBusy={({ id }) => command.pendingSubjects.has(`set ${id}`)}
            onSet={askSet}
          />
        )}
      </Loaded>
      {report && <FlagReport outcomes={report} />}
      {confirm.dialog}
    </Card>
  )
}

interface FlagEffectProps {
  flag: FeatureFlag
  isEnabling: boolean
}

function FlagEffect({ flag, isEnabling }: FlagEffectProps) {
  return (
    <>
      <p>{FEATURE_EFFECTS.get(flag.id)?.[isEnabling ? 'enable' : 'disable']}</p>
      {flag.blocked !== undefined && <p>{copy.flags.blocked(flag.blocked)}</p>}
    </>
  )
}

function Services({ port, isMarked }: PartProps<ServiceControls>) {
  const services = useQuery(portQueries.services(port, { onFailure: logOnly }))
  const command = usePortCommand('services')
  const confirm = useConfirm()
  const [configured, setConfigured] = useState<ServiceEntry>()
  const isLive = port.kind === 'live'
  const act = (action: ServiceAction, { id, name }: ServiceEntry) =>
    command.run({
      control: `${action} ${id}`,
      run: () => port.act(action, id),
      ...createActionToasts(actionMessages(port.kind, action, name)),
    })
  /** FEAT-10: a stop states its effect first; a start only gives back what was missing. */
  const ask = (action: ServiceAction, service: ServiceEntry) => {
    if (!isLive || action === 'start') act(action, service)
    else if (action === 'configure') setConfigured(service)
    else
      confirm.ask({
        question: copy.services.confirm[action](service.name),
        detail: action === 'stop' ? SERVICE_EFFECTS.get(service.id)?.stop : copy.services.restartEffect,
        action: copy.services.actions[action],
        onConfirm: () => act(action, service),
      })
  }
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
            isLive={isLive}
            isBusy={(action, { id }) => command.pendingSubjects.has(`${action} ${id}`)}
            onAct={ask}
          />
        )}
      </Loaded>
      {configured && (
        <Dialog
          title={copy.services.configOf(configured.name)}
          opened
          onClose={() => setConfigured(undefined)}
        >
          <p>{SERVICE_EFFECTS.get(configured.id)?.running}</p>
          <p>{copy.services.noSettings}</p>
        </Dialog>
      )}
      {confirm.dialog}
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
      {isMarked && <PortBadge kind={port.kind} />}
    </>
  )
}
