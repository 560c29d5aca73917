/**
 * The least that keeps what is posted, durably: node:http, JSON.parse, one insert and one commit each. It checks
 * nothing, limits nobody and knows no origins. `node floor.ts FILE` prints its port.
 */
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";

const database = new DatabaseSync(process.argv[2] ?? "");
database.exec(
  "pragma journal_mode = wal; pragma synchronous = full; create table kept (body text)",
);
const insert = database.prepare("insert into kept values (?)");
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    insert.run(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString())));
    response.writeHead(201).end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" ? address?.port : address);
});
