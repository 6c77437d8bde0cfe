/** A media type (RFC 9110, section 8.3.1) with plain parameters only, since it is sent in a header unchanged. */
const mediaTypePattern =
  /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}([ \t]*;[ \t]*[\w-]{1,50}=[\w.+-]{1,100})*$/;

/** Returns a media type in lower case, and `application/octet-stream` for what is none. */
export function toStorableMediaType(mediaType: string): string {
  return mediaTypePattern.test(mediaType) ? mediaType.toLowerCase() : 'application/octet-stream';
}
