import json
import sys

with open(sys.argv[1]) as file:
    for order in json.load(file)["orders"]:
        print(order["id"], sum(item["price"] for item in order["items"]))
