import type { SettingsVersion } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { problemText } from '#data/failure.ts'
import { systemSettingQueries } from '#data/system-settings.ts'
import { formatInstant } from '#format/time.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { copy, live } from './copy.ts'
import { DifferenceList } from './difference-list.tsx'
import classes from './settings-versions.module.css'

export interface SettingsVersionsProps {
  current: number
  isBusy: (version: number) => boolean
  onRevert: (version: number) => void
}

const FIRST_VERSION = 1

/** SET-11, SET-12: who changed what and when; each version can be brought back. */
export function SettingsVersions({ current, isBusy, onRevert }: SettingsVersionsProps) {
  const versions = useQuery(systemSettingQueries.versions())
  const confirm = useConfirm()
  const askRevert = (version: number) =>
    confirm.ask({
      question: live.confirmRevert(version),
      detail: live.revertDetail,
      action: live.revertAction,
      onConfirm: () => onRevert(version),
    })
  const revertButton = (version: number) =>
    version === current ? (
      <span className={classes.current}>{live.currentVersion}</span>
    ) : (
      <Button aria-label={live.revertTo(version)} busy={isBusy(version)} onClick={() => askRevert(version)}>
        {live.revertAction}
      </Button>
    )
  return (
    <Card title={live.versions}>
      <Loaded
        load={versions}
        loading={live.versionsLoading}
        failed={live.versionsFailed}
        reason={problemText(versions.error)}
      >
        {(listed) => (
          <ol className={classes.list} aria-label={live.versions}>
            {listed.map((version) => (
              <VersionRow key={version.version} version={version} action={revertButton(version.version)} />
            ))}
            <li className={classes.version}>
              <span className={classes.title}>{live.versionTitle(FIRST_VERSION)}</span>
              <span className={classes.about}>{live.firstVersion}</span>
              {revertButton(FIRST_VERSION)}
            </li>
          </ol>
        )}
      </Loaded>
      {confirm.dialog}
    </Card>
  )
}

interface VersionRowProps {
  version: SettingsVersion
  action: React.ReactNode
}

function VersionRow({ version: { version, at, actor, changes }, action }: VersionRowProps) {
  return (
    <li className={classes.version}>
      <span className={classes.title}>{live.versionTitle(version)}</span>
      <div className={classes.about}>
        <span>{`${formatInstant(at)}, ${actor}`}</span>
        <DifferenceList changes={changes} label={copy.title} />
      </div>
      {action}
    </li>
  )
}
