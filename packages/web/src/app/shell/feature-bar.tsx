import { useEngineSummary } from '#data/engine.ts'
import { paths } from '#paths.ts'
import { FEATURE_EFFECTS, SERVICE_EFFECTS } from '#ports/feature-effects.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { StatusBar, type StatusNotice, StatusNotices } from './status-bar.tsx'

/** FEAT-24: says on every screen which flags and services change what a trader can do or see. ENGS-52: and who else may act. */
export function FeatureBar() {
  const engine = useEngineSummary()
  const switched = engine ? noticesOf(engine) : []
  const notices = engine?.readOnlyBecause ? [readOnlyNotice(engine.readOnlyBecause), ...switched] : switched
  if (notices.length === 0) return null
  return (
    <StatusBar label="Features" tone="warn">
      <StatusNotices notices={notices} />
      {switched.length > 0 && <TextLink to={paths.adminFeatures}>Go to Features</TextLink>}
    </StatusBar>
  )
}

interface Switches {
  features: Readonly<Record<string, boolean>>
  services: Readonly<Record<string, string>>
}

function readOnlyNotice(reason: string): StatusNotice {
  const text = `${reason[0]?.toUpperCase()}${reason.slice(1)}. What is shown is current; commands of this one are refused.`
  return { title: 'This console only reads', text }
}

function noticesOf({ features, services }: Switches): StatusNotice[] {
  const ofFlags = Object.entries(features).flatMap(([id, enabled]) => {
    const { name, notice } = FEATURE_EFFECTS.get(id) ?? {}
    const state = enabled ? 'on' : 'off'
    // With Paper Trading on, orders are accepted whatever Live Trading says.
    const isMoot = id === 'live-trading' && features['paper-trading'] === true
    return notice?.when === state && !isMoot ? [{ title: `${name} is ${state}`, text: notice.text }] : []
  })
  const ofServices = Object.entries(services).flatMap(([id, status]) => {
    const { name, notice } = SERVICE_EFFECTS.get(id) ?? {}
    return status === 'running' || notice === undefined
      ? []
      : [{ title: `${name} is ${status}`, text: notice }]
  })
  return [...ofFlags, ...ofServices]
}
