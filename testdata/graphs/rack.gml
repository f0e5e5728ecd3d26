graph [
  directed 0
  node [ id 10 label "host0" endpoint 1 ]
  node [ id 11 label "host1" endpoint 1 ]
  node [ id 12 label "host2" endpoint 1 ]
  node [ id 20 label "leaf0" endpoint 0 ]
  node [ id 21 label "leaf1" endpoint 0 ]
  edge [ source 10 target 20 capacity 1 ]
  edge [ source 11 target 20 ]
  edge [ source 12 target 21 ]
  edge [ source 20 target 21 capacity 2 ]
]
