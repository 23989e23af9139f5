import aws4 from 'aws4';

/** Body of the one call that is made. */
export const CALL = 'Action=GetCallerIdentity&Version=2011-06-15';

/** Headers of the call, signed with Signature Version 4 for the global endpoint of STS. */
export function signCall(
  key: { readonly accessKeyId: string; readonly secretAccessKey: string },
  now: Date,
): Record<string, string> {
  const { headers } = aws4.sign(
    {
      service: 'sts',
      region: 'us-east-1',
      host: 'sts.amazonaws.com',
      method: 'POST',
      path: '/',
      body: CALL,
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
        'X-Amz-Date': now.toISOString().replace(/[-:]|\.\d{3}/g, ''),
      },
    },
    key,
  );
  // Host and length are written by whoever sends the request.
  const sent = Object.entries(headers ?? {}).filter(([name]) => !/^(host|content-length)$/i.test(name));
  return Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
