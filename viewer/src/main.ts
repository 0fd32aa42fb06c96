// SPDX-License-Identifier: Apache-2.0
import "uplot/dist/uPlot.min.css";
import "./app.css";
import { App } from "./app";
import { shoot } from "./shot";

const query = new URLSearchParams(location.search);
const plain = query.get("shot") === "1";
const app = new App({ token: query.get("token") ?? "", plain });
window.rilleApp = app; // for tests and for people with a console
app.start();
if (plain) void shoot(app, query);
