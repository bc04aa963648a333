import { useLocation } from 'react-router'
import { paths } from '#paths.ts'
import { GoButton } from '#ui/control/button.tsx'
import { copy } from './copy.ts'
import { nearestPage } from './nearest-page.ts'
import classes from './not-found-page.module.css'

export function NotFoundPage() {
  const { pathname } = useLocation()
  const nearest = nearestPage(pathname)
  return (
    <div className={classes.page}>
      <title>{`${copy.title} · Binnacle`}</title>
      <p className={classes.code}>404</p>
      <h1>{copy.title}</h1>
      <p className={classes.text}>{copy.text}</p>
      <GoButton to={paths.home} kind="primary">
        {copy.goHome}
      </GoButton>
      {nearest && (
        <GoButton to={nearest.path} kind="quiet">
          {copy.didYouMean(nearest.label)}
        </GoButton>
      )}
    </div>
  )
}
