export const copy = {
  title: 'Page Not Found',
  text: "Sorry, the page you are looking for doesn't exist. It may have been moved or deleted.",
  goHome: 'Go Home',
  didYouMean: (label: string) => `Did you mean ${label}?`,
}
