// SHELL-170: in a page with its first rendering, the code of the console is evaluated after that is painted.
{
  const { module } = document.currentScript.dataset
  let isStarted = false
  const start = () => {
    if (isStarted) return
    isStarted = true
    document.head.append(
      Object.assign(document.createElement('script'), { type: 'module', crossOrigin: '', src: module }),
    )
  }
  // A page in the background is not painted.
  requestAnimationFrame(() => setTimeout(start))
  setTimeout(start, document.visibilityState === 'visible' ? 250 : 0)
}
