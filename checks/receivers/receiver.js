// An OTLP receiver on free ports of 127.0.0.1 for the tests: prints {"http": URL, "grpc": URL} as its first line, then each
// request it gets as one line of OTLP JSON, until it is killed. With --headers also {"headers": {NAME: VALUE}} for each request; with --until-eof it ends with its input.
const { MockOtlpServer } = require('@elastic/mockotlpserver');
const { JSONPrinter } = require('@elastic/mockotlpserver/lib/printers');
const luggite = require('@elastic/mockotlpserver/lib/luggite');

async function main() {
  if (process.argv.includes('--until-eof')) {
    process.stdin.on('end', () => process.exit()).resume();
  }
  const log = luggite.createLogger({ name: 'receiver', level: 'error' });
  const server = new MockOtlpServer({
    log,
    services: ['http', 'grpc'],
    httpHostname: '127.0.0.1',
    httpPort: 0,
    grpcHostname: '127.0.0.1',
    grpcPort: 0,
    onRequest: ({ headers, metadata }) => {
      if (process.argv.includes('--headers')) {
        console.log(JSON.stringify({ headers: headers ?? metadata.getMap() }));
      }
    },
  });
  await server.start();
  new JSONPrinter(log, 0).subscribe();
  console.log(JSON.stringify({ http: server.httpUrl.origin, grpc: server.grpcUrl.origin }));
}

main();
