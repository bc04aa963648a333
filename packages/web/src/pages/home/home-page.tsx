import { VERSION } from '@binnacle/contract'
import { paths } from '#paths.ts'
import { GoButton } from '#ui/control/button.tsx'
import { Compass } from '#ui/look/compass.tsx'
import classes from './home-page.module.css'

export function HomePage() {
  return (
    <main className={classes.home}>
      <title>Binnacle</title>
      <Compass />
      <h1>Binnacle</h1>
      <p>Professional trading platform with comprehensive administration</p>
      <div className={classes.entries}>
        <GoButton to={paths.trader} kind="primary">
          Enter Trader Panel
        </GoButton>
        <GoButton to={paths.admin}>Enter Admin Panel</GoButton>
      </div>
      <div className={classes.foot}>
        <GoButton to={paths.docs} kind="quiet">
          Documentation
        </GoButton>
        <span>{VERSION}</span>
      </div>
    </main>
  )
}
