declare module 'bridge:source' {
  const source: string
  export default source
}
